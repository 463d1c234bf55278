// Loaded before every test file: no key, address or setting of the developer may decide a test.

const SETTINGS =
  /^(MDX_AI_(?!EXECUTABLE$)|LLM_|OTEL_)|_(API_KEY|BASE_URL)$|^(NO_COLOR|FORCE_COLOR|COLUMNS|OLLAMA_HOST)$/;

for (const name of Object.keys(process.env)) if (SETTINGS.test(name)) delete process.env[name];
