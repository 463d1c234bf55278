import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MissingKeyError, ModelError, ModelScriptError, openModel, UnknownProviderError } from "@mdx-ai/models";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const withKey = { ANTHROPIC_API_KEY: "sk-ant-test" };
const withKeys = { OPENROUTER_API_KEY: "sk-or-test", OPENAI_API_KEY: "sk-test", ...withKey };

/** What opening a model throws. */
async function failure(
  reference: string | undefined,
  environment: Record<string, string | undefined> = {},
): Promise<unknown> {
  return openModel(reference, { environment }).then(
    (model) => `opened ${model.provider}/${model.name}`,
    (error: unknown) => error,
  );
}

describe("a model reference", () => {
  test.each([
    { reference: "anthropic/claude-opus-4-1", provider: "anthropic", name: "claude-opus-4-1" },
    { reference: " claude-x ", provider: "anthropic", name: "claude-x" },
    { reference: "anthropic/team/model:1", provider: "anthropic", name: "team/model:1" },
    { reference: "anthropic", provider: "anthropic", name: "claude-sonnet-5-5" },
    { reference: "gpt-4.1", provider: "openai", name: "gpt-4.1" },
    { reference: "o3", provider: "openai", name: "o3" },
    { reference: "openrouter/meta/llama:free", provider: "openrouter", name: "meta/llama:free" },
    { reference: "openrouter", provider: "openrouter", name: "openrouter/auto" },
    { reference: "ollama/gpt-oss:20b", provider: "ollama", name: "gpt-oss:20b" },
    { reference: "offline", provider: "offline", name: "offline" },
    { reference: undefined, provider: "anthropic", name: "claude-sonnet-5-5" },
  ])("names a model: %j", async ({ reference, provider, name }) => {
    expect(await openModel(reference, { environment: withKeys })).toMatchObject({ provider, name });
  });

  test("script:FILE opens a file relative to the given folder, or an absolute one", async () => {
    using directory = temporaryDirectory();
    const file = join(directory.path, "a b.jsonl");
    writeFileSync(file, '{"text":"hi"}\n');
    const options = { environment: {}, cwd: directory.path };
    expect(await openModel("script:a b.jsonl", options)).toMatchObject({ provider: "script", name: "a b.jsonl" });
    expect(await openModel(`script:${file}`, { environment: {} })).toMatchObject({ provider: "script", name: file });
  });

  test.each([
    { reference: "antropic/claude-x", suggestion: "anthropic/claude-x" },
    { reference: "Anthropic/claude-x", suggestion: "anthropic/claude-x" },
    { reference: "anthropic:claude-x", suggestion: "anthropic/claude-x" },
    { reference: "anthropic/", suggestion: "anthropic/claude-sonnet-5-5" },
    { reference: "claude", suggestion: "anthropic/claude-sonnet-5-5" },
    { reference: "Claude-3", suggestion: "claude-3" },
    { reference: "opnai/gpt-5", suggestion: "openai/gpt-5" },
    { reference: "gpt", suggestion: "openai/gpt-5.4" },
    { reference: "google/gemini-x", suggestion: "gemini/gemini-x" },
    { reference: "grok", suggestion: "xai/grok-4.7" },
    { reference: "deepsek", suggestion: "deepseek/deepseek-flash" },
    { reference: "mistrall/x", suggestion: "mistral/x" },
    { reference: "ollama", suggestion: "ollama/NAME" },
    { reference: "ollama/", suggestion: "ollama/NAME" },
    { reference: "olama/qwen3:8b", suggestion: "ollama/qwen3:8b" },
    { reference: "gpt-oss:20b", suggestion: "ollama/gpt-oss:20b" },
    { reference: "azure", suggestion: "azure/NAME" },
    { reference: "ofline", suggestion: "offline" },
    { reference: "script/a.jsonl", suggestion: "script:a.jsonl" },
    { reference: "script:", suggestion: "script:FILE" },
    { reference: "ai-sdk:@ai-sdk/google", suggestion: "ai-sdk:@ai-sdk/google#NAME" },
    { reference: "aisdk:x", suggestion: "ai-sdk:@ai-sdk/google#NAME" },
    { reference: "nobody/gpt-5", suggestion: undefined },
    { reference: "", suggestion: undefined },
    { reference: "ü/🦊\n", suggestion: undefined },
  ])("that names none is refused, and the error lists what is available: %j", async ({ reference, suggestion }) => {
    const error = await failure(reference, withKey);
    expect(error).toBeInstanceOf(UnknownProviderError);
    expect(error).toMatchObject({ name: "UnknownProviderError", reference, suggestion });
    for (const word of ["anthropic/", "ai-sdk:", "script:FILE", "offline", suggestion ?? ""])
      expect(`${error}`).toContain(word);
    expect(`${error}`).not.toContain("\n");
  });
});

describe("without a reference", () => {
  test.each([{}, { ANTHROPIC_API_KEY: "" }, { ANTHROPIC_API_KEY: " \n" }, { ANTHROPIC_API_KEY: undefined }])(
    "and with %j the offline model opens, whose notice says how to set a model",
    async (environment) => {
      const model = await openModel(undefined, { environment });
      expect(model.provider).toBe("offline");
      expect(model.notice).toContain("No language model is configured");
      expect(model.notice).toContain("ANTHROPIC_API_KEY");
      expect(model.notice).toContain("--model");
      expect(model.notice).not.toContain("\n");
    },
  );

  test.each([
    { environment: { OPENAI_API_KEY: "k" }, opened: { provider: "openai", name: "gpt-5.4" } },
    { environment: { GOOGLE_API_KEY: "k" }, opened: { provider: "gemini", name: "gemini-3.8-flash" } },
    {
      environment: { XAI_API_KEY: "k", MISTRAL_API_KEY: "k" },
      opened: { provider: "mistral", name: "mistral-large-latest" },
    },
    { environment: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k" }, opened: { provider: "anthropic" } },
    { environment: { AZURE_OPENAI_API_KEY: "k", OLLAMA_BASE_URL: "http://x" }, opened: { provider: "offline" } },
  ])(
    "and with $environment the first vendor whose key is set opens with its default model",
    async ({ environment, opened }) => {
      expect(await openModel(undefined, { environment })).toMatchObject(opened);
    },
  );

  test("a model that was chosen has no notice", async () => {
    expect((await openModel(undefined, { environment: withKey })).notice).toBeUndefined();
  });
});

describe("a missing key", () => {
  test.each([undefined, "", "  "])("of %j is reported with its variable and what to do", async (key) => {
    const error = await failure("claude-x", { ANTHROPIC_API_KEY: key });
    expect(error).toBeInstanceOf(MissingKeyError);
    expect(error).toMatchObject({ name: "MissingKeyError", variable: "ANTHROPIC_API_KEY" });
    expect(`${error}`).toContain("export ANTHROPIC_API_KEY=");
    expect(`${error}`).toContain("--model offline");
  });

  test.each(["sk ant", "sk-ant\nx", "schlüssel", "sk\u0000"])(
    "one that cannot be a key (%j) is told and not shown",
    async (key) => {
      const error = await failure("claude-x", { ANTHROPIC_API_KEY: key });
      expect(error).toBeInstanceOf(MissingKeyError);
      expect(`${error}`).not.toContain(key);
    },
  );

  test("white space around a key does not count", async () => {
    expect(await failure("claude-x", { ANTHROPIC_API_KEY: " sk-ant-x\n" })).toBe("opened anthropic/claude-x");
  });
});

test.each(["nonsense", "ftp://host", "//host", "file:///etc"])("the base URL %j is refused", async (url) => {
  const error = await failure("claude-x", { ...withKey, ANTHROPIC_BASE_URL: url });
  expect(error).toBeInstanceOf(ModelError);
  expect(`${error}`).toContain("ANTHROPIC_BASE_URL");
});

test("a script that cannot be read is reported with its path", async () => {
  using directory = temporaryDirectory();
  const file = join(directory.path, "no.jsonl");
  const error = await failure(`script:${file}`);
  expect(error).toBeInstanceOf(ModelScriptError);
  expect(error).toMatchObject({ name: "ModelScriptError", file, line: undefined });
  expect(`${error}`).toEndWith(`${file}: cannot read the model script (ENOENT)`);
});

test("each suggestion that names a model is understood", async () => {
  const written = [
    "Claude-3",
    "opnai/gpt-5",
    "gpt",
    "google/x",
    "grok",
    "ollama:qwen3",
    "gpt-oss:20b",
    "GPT-4.1",
    "x.ai/y",
  ];
  for (const reference of written) {
    const { suggestion } = (await unknown(reference)) ?? {};
    expect(suggestion).toBeString();
    expect(await unknown(suggestion)).toBeUndefined();
  }
});

/** The error of a reference that is not understood. Without keys, one that is may fail for lack of one. */
async function unknown(reference: string | undefined): Promise<UnknownProviderError | undefined> {
  const error = await failure(reference);
  return error instanceof UnknownProviderError ? error : undefined;
}
