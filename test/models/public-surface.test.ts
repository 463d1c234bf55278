import { expect, test } from "bun:test";
import { fileURLToPath } from "node:url";

const index = fileURLToPath(new URL("../../packages/models/src/index.ts", import.meta.url));

test("the package exports these names and no others", async () => {
  expect(Object.keys(await import("@mdx-ai/models")).sort()).toEqual([
    "ConfigurationError",
    "FLAGS",
    "MissingKeyError",
    "ModelError",
    "ModelScriptError",
    "NoModelError",
    "UnknownProviderError",
    "accessOf",
    "configurationSchema",
    "fromAiSdk",
    "inputTokens",
    "isAssistantMessage",
    "isTime",
    "isToolResultMessage",
    "isUserMessage",
    "modelList",
    "openConfiguredModels",
    "openModel",
    "parametersOf",
    "parseModelReference",
    "refusedBy",
    "resolveConfiguration",
    "unknownModelHint",
    "vendorStatuses",
  ]);
});

const openings = [
  ["claude-x", { ANTHROPIC_API_KEY: "k" }],
  ["gpt-4.1", { OPENAI_API_KEY: "k" }],
  ["azure/d", { AZURE_OPENAI_API_KEY: "k", AZURE_OPENAI_ENDPOINT: "http://127.0.0.1:1" }],
  ["ollama/x", {}],
] as const;

test("importing it, and opening models, loads no SDK and no large package", async () => {
  const program = `
    const { openModel } = await import(${JSON.stringify(index)});
    const before = Object.keys(require.cache);
    for (const [reference, environment] of ${JSON.stringify(openings)}) await openModel(reference, { environment });
    console.log(JSON.stringify([before, Object.keys(require.cache)]));
  `;
  const { stdout } = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: fileURLToPath(new URL("../..", import.meta.url)),
  });
  const [imported, opened]: [string[], string[]] = JSON.parse(stdout.toString());
  expect(imported).toContain(index);
  expect(imported.filter((file) => /node_modules(?!.*\/leven\/)/.test(file))).toEqual([]);
  expect(opened.filter((file) => /node_modules.*(?:@anthropic-ai|openai)/.test(file))).toEqual([]);
});
