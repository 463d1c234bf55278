import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openModel } from "@mdx-ai/models";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { endOf, eventsOf } from "../../support/model-request.ts";
import { linkPackage, packageFolder } from "../../support/package-folder.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const program = join(import.meta.dir, "../../support/open-model-process.ts");

/** What a new process says that opens a model of a package, beginning in a folder without packages. */
async function openInProcess(reference: string, folder: string, environment: Readonly<Record<string, string>>) {
  using home = temporaryDirectory();
  const child = Bun.spawn([process.execPath, program, reference, folder], {
    cwd: home.path,
    env: { PATH: process.env["PATH"], HOME: home.path, ...environment },
    stderr: "inherit",
  });
  const text = await child.stdout.text();
  return JSON.parse(text);
}

/** The code of a provider whose answer is its own name. */
const providerCode = (name: string): string => `Object.assign(() => {}, {
  languageModel: (modelId) => ({
    specificationVersion: "v4",
    provider: "${name}",
    modelId,
    doGenerate() {},
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          controller.enqueue({ type: "text-delta", id: "0", delta: "${name}" });
          controller.enqueue({ type: "finish", finishReason: { unified: "stop", raw: "stop" } });
          controller.close();
        },
      }),
    }),
  }),
})`;

/** The answer of the model that a package gives. */
async function answerOf(name: string, ...folders: string[]): Promise<unknown> {
  const model = await openModel(`ai-sdk:${name}#model-1`, { environment: {}, packageFolders: folders });
  return endOf(await eventsOf(model)).message.content;
}

const says = (text: string): unknown => [{ type: "text", text }];

/** How opening the model of a package with this code fails. */
async function failureOf(code: string, name = "hand"): Promise<Error> {
  using folder = packageFolder({ [name]: code });
  return await openModel(`ai-sdk:${name}#model-1`, { environment: {}, packageFolders: [folder.path] }).then(
    () => new Error("it was opened"),
    (error) => error,
  );
}

test("a package of the agent's folder is asked, with the key and the address in its variables", async () => {
  using server = anthropicServer(textReply("Hello from afar"));
  using folder = temporaryDirectory();
  linkPackage(folder.path, "@ai-sdk/anthropic");
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = server.environment;
  const environment = { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: `${ANTHROPIC_BASE_URL}/v1` };
  expect(await openInProcess("ai-sdk:@ai-sdk/anthropic#claude-sonnet-4-5", folder.path, environment)).toMatchObject({
    provider: "ai-sdk:anthropic.messages",
    model: "claude-sonnet-4-5",
    content: says("Hello from afar"),
  });
});

test("without its key, the variable that lacks is named", async () => {
  using folder = temporaryDirectory();
  linkPackage(folder.path, "@ai-sdk/anthropic");
  expect(await openInProcess("ai-sdk:@ai-sdk/anthropic#claude-sonnet-4-5", folder.path, {})).toMatchObject({
    errorMessage: expect.stringMatching(/^ANTHROPIC_API_KEY is not set\./),
    failure: { kind: "missing_key", isTransient: false },
  });
});

test("a package that is not installed is not installed now, and the message says how to", async () => {
  const asked: string[] = [];
  using registry = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch({ url }) {
      asked.push(url);
      return new Response("{}", { status: 404 });
    },
  });
  using folder = temporaryDirectory();
  const environment = { BUN_CONFIG_REGISTRY: registry.url.href };
  expect(await openInProcess("ai-sdk:@hand/written#model-1", folder.path, environment)).toEqual({
    name: "ModelError",
    message: `@hand/written is not installed. Install it in ${folder.path}: bun add @hand/written, or npm install @hand/written.`,
  });
  expect(asked).toEqual([]);
});

test("the first folder that has the package counts, and those above a folder do not", async () => {
  const exported = (name: string): string => `export const hand = ${providerCode(name)};`;
  using near = packageFolder({ hand: exported("near") });
  using far = packageFolder({ hand: exported("far"), other: exported("other") });
  const below = join(near.path, "a/b");
  mkdirSync(below, { recursive: true });
  expect(await answerOf("hand", near.path, far.path)).toEqual(says("near"));
  expect(await answerOf("hand", below, far.path)).toEqual(says("far"));
  expect(await answerOf("other", near.path, far.path)).toEqual(says("other"));
});

test.each([
  ["@ai-sdk/google", "google", "export const aaa = {}; export const google = P; export const another = Q;"],
  ["@ai-sdk/amazon-bedrock", "bedrock", "export const bedrock = P; export const another = Q;"],
  ["@openrouter/ai-sdk-provider", "openrouter", "export const another = Q; export const openrouter = P;"],
  ["ollama-ai-provider-v2", "default", "export const another = Q; export default P;"],
  ["@ai-sdk/google-vertex", "only", "export const vertexed = P; export const createVertexed = () => P;"],
  ["@ai-sdk/deep-infra", "alias", "const p = P; export { p as one, p as two };"],
])("of %s the provider that is meant is found", async (name, marker, code) => {
  const whole = code.replace("P", providerCode(marker)).replaceAll("P;", "{};").replace("Q", providerCode("wrong"));
  using folder = packageFolder({ [name]: whole });
  expect(await answerOf(name, folder.path)).toEqual(says(marker));
});

test.each([
  [
    "no provider",
    "export const VERSION = '1'; export const createTool = () => {};",
    "hand exports no AI SDK provider that is ready to use",
  ],
  [
    "no provider but a function that makes one",
    "export const createHand = () => {};",
    "hand exports no AI SDK provider that is ready to use: what its createHand needs can only be passed in code, with fromAiSdk",
  ],
  [
    "several providers of other names",
    "export const a = { languageModel() {} }; export const b = { languageModel() {} };",
    "hand exports several providers (a, b), none of them named after the package",
  ],
  ["code that throws", "throw new Error('no\\nway')", "hand cannot be used: no way"],
  ["code that throws no error", "throw 'no way'", "hand cannot be used: no way"],
  ["code that does not parse", "export const = 7;", /^hand cannot be used: /],
  ["an import of what is not installed", "import 'not-there';", /^hand cannot be used: .*not-there/],
  [
    "a provider that does not know the model",
    "export const hand = { languageModel(name) { throw new Error('No such model: ' + name); } };",
    "hand cannot be used: No such model: model-1",
  ],
  [
    "a provider that gives no model",
    "export const hand = { languageModel() {} };",
    'hand returned no language model for "model-1"',
  ],
  [
    "a model of a version that is gone",
    "export const hand = { languageModel: (modelId) => ({ specificationVersion: 'v1', provider: 'hand', modelId, doGenerate() {}, doStream() {} }) };",
    /version "v1" of the interface; v2, v3, v4 are supported/,
  ],
])("a package with %s is refused", async (_what, code, message) => {
  expect(await failureOf(code)).toMatchObject({ name: "ModelError", message: expect.stringMatching(message) });
});

test("a package that wants its key at once says which variable lacks", async () => {
  const text =
    "Hand API key is missing. Pass it using the 'apiKey' parameter or the HAND_API_KEY environment variable.";
  const code = `export const hand = { languageModel() { throw Object.assign(new Error(${JSON.stringify(text)}), { name: "AI_LoadAPIKeyError" }); } };`;
  expect(await failureOf(code)).toMatchObject({ name: "MissingKeyError", variable: "HAND_API_KEY" });
});

test.each([
  "../hand",
  "./hand",
  "/tmp/hand",
  "file:///tmp/hand",
  "hand/../../x",
  "node_modules/../x",
  "@hand",
  "",
  "a b",
])("%j is not a package name, and is not run", async (name) => {
  using folder = packageFolder({ hand: "throw new Error('it ran')" });
  const opened = openModel(`ai-sdk:${name}#model-1`, { environment: {}, packageFolders: [folder.path] });
  await expect(opened).rejects.toThrow(/is not a package name|Unknown model|is not installed/);
});

test("a package of the name of a part of Bun is not mistaken for a file of the current folder", async () => {
  expect((await failureOf(providerCode("hand"), "undici")).message).toContain("has no code to import");
});
