import { describe, expect, test } from "bun:test";
import { renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { resolveConfiguration } from "@mdx-ai/models";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { codeBlocks } from "../support/markdown-text.ts";
import { textReply as openAiText } from "../support/openai-replies.ts";
import { openAiServer, testKey } from "../support/openai-server.ts";
import { packageFolder } from "../support/package-folder.ts";
import { requireProgram } from "../support/require-program.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const ROOT = join(import.meta.dir, "../..");
const page = await Bun.file(join(ROOT, "docs/models.md")).text();
const [serverYaml = ""] = codeBlocks(page, "yaml");
const serverJson = JSON.stringify(Bun.YAML.parse(serverYaml), null, 2);
const [packageLines = "", usageLine = "", ...otherLines] = codeBlocks(page, "sh");

test("every line of docs/models.md is run here", () => {
  expect([...otherLines, ...codeBlocks(page, "ts")]).toEqual([]);
  expect([serverYaml, packageLines, usageLine]).not.toContain("");
});

test("the line about what was spent shows a table", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "my-agent/agent.mdx": MINIMAL_AGENT });
  const args = usageLine.trim().split(" ").slice(1);
  expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
});

const serverFiles = { "my-server.yaml": serverYaml, "my-server.json": serverJson, "agent/agent.mdx": MINIMAL_AGENT };

describe("a configuration", () => {
  test("is the same in YAML and JSON", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, serverFiles);
    const read = (file: string) => resolveConfiguration({ environment: {}, file, cwd: home.path });
    const told = JSON.stringify(await read("my-server.yaml")).replaceAll(".yaml", ".json");
    expect<unknown>(JSON.parse(told)).toEqual(JSON.parse(JSON.stringify(await read("my-server.json"))));
  });

  test("is reported by the command of the page", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, serverFiles);
    const [, command = ""] = /`mdx-ai (models --config [^`]*)`/.exec(page) ?? [];
    const { stdout, exitCode } = await runCommandLine(command.split(" "), { home: home.path });
    const source = "config my-server.yaml";
    for (const shown of [`openai/qwen3  ${source}  ready`, `temperature  0.3        ${source}`])
      expect([exitCode, stdout]).toEqual([0, expect.stringContaining(shown)]);
  });

  test.each(["my-server.yaml", "my-server.json"])("in %s asks the server that it names", async (file) => {
    using home = temporaryDirectory();
    using server = openAiServer(openAiText("Yes."));
    const address = server.environment("openai")["OPENAI_BASE_URL"] ?? "";
    const text = file.endsWith("yaml") ? serverYaml : serverJson;
    const here = text.replace("http://localhost:8000/v1", address).replace("not-a-secret", testKey);
    writeFiles(home.path, { ...serverFiles, [file]: here });
    const args = ["agent", "agent", "--trust", "--config", file, "--prompt", "Hello"];
    expect(await runCommandLine(args, { home: home.path })).toMatchObject({ exitCode: 0, stdout: "Yes.\n" });
    expect<unknown>(server.requests[0]?.body).toMatchObject({ model: "qwen3", temperature: 0.3 });
  });

  test("with a field that there is not ends the run as the page says", async () => {
    using home = temporaryDirectory();
    writeFiles(home.path, { ...serverFiles, "my-server.yaml": serverYaml.replace("temperature", "temprature") });
    const { exitCode, stderr } = await runCommandLine(["models", "--config", "my-server.yaml"], { home: home.path });
    const named = "mdx-ai: my-server.yaml:5:1: unexpected field `temprature`, expected one of";
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(named)]);
    expect(stderr).toEndWith("; did you mean `temperature`?\n");
  });
});

test.each([
  [-0.1, false],
  [0, true],
  [2, true],
  [2.1, false],
])("a temperature of %p is taken: %p", async (temperature, isTaken) => {
  const environment = { LLM_PROVIDER_CONFIG: JSON.stringify({ model: "offline", temperature }) };
  const resolving = resolveConfiguration({ environment, cwd: "/" });
  if (isTaken) expect((await resolving).temperature?.value).toBe(temperature);
  else expect(resolving).rejects.toThrow("expected a number from 0 to 2");
});

test("a model without its key ends the run with exit code 1 and names the variable in one line", async () => {
  using home = temporaryDirectory();
  writeFiles(home.path, { "agent/agent.mdx": MINIMAL_AGENT });
  const args = ["agent", "agent", "--trust", "--model", "mistral", "--prompt", "Hello"];
  const run = await runCommandLine(args, { home: home.path });
  expect(run).toMatchObject({ exitCode: 1, stdout: "" });
  expect(run.stderr).toMatch(/^mdx-ai: MISTRAL_API_KEY is not set[^\n]*\n$/);
});

test.each([
  { title: "--no-offline", frontmatter: "name: A", args: ["--no-offline"] },
  { title: "offline: false", frontmatter: "offline: false", args: [] },
])(
  "without a model and with $title the run ends with exit code 1 and says how to configure one",
  async ({ frontmatter, args }) => {
    using home = temporaryDirectory();
    writeFiles(home.path, { "agent/agent.mdx": `---\n${frontmatter}\n---\n${MINIMAL_AGENT}` });
    const run = await runCommandLine(["agent", "agent", "--trust", ...args, "--prompt", "Hello"], { home: home.path });
    expect([run.exitCode, run.stdout]).toEqual([1, ""]);
    expect(run.stderr).toMatch(/^mdx-ai: no model is configured[^\n]*\n$/i);
    for (const way of ["ANTHROPIC_API_KEY", "--model"]) expect(run.stderr).toContain(way);
  },
);

/** Code that wraps a model of a provider. */
const program = `
  import { createAnthropic } from "@ai-sdk/anthropic";
  import { fromAiSdk } from "@mdx-ai/models";
  const apiKey = process.env["ANTHROPIC_API_KEY"] ?? "";
  export const model = fromAiSdk(createAnthropic({ apiKey })("claude-sonnet-5-5"), { secrets: [apiKey] });
`;

/** A provider of one model, as a package exports it. */
const providerCode = `
  const parts = [
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "Hi." },
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: { unified: "stop" }, usage: { inputTokens: {}, outputTokens: {} } },
  ];
  export const google = {
    languageModel: (modelId) => ({
      specificationVersion: "v4",
      provider: "google",
      modelId,
      doGenerate: async () => {
        throw new Error("nobody asks for a document");
      },
      doStream: async () => ({
        stream: new ReadableStream({
          start(controller) {
            for (const part of parts) controller.enqueue(part);
            controller.close();
          },
        }),
      }),
    }),
  };
`;

describe.skipIf(requireProgram("bwrap"))("a provider of the AI SDK", () => {
  test("is asked where its package is installed", async () => {
    using home = packageFolder({ "@ai-sdk/google": providerCode });
    renameSync(join(home.path, "node_modules"), join(home.path, "packages"));
    writeFiles(home.path, { "my-agent/agent.mdx": MINIMAL_AGENT });
    const command = cliCommand([]).map((word) => `'${word}'`);
    const stubs = `npm() { cp -r packages my-agent/node_modules; }\nnpx() { shift; ${command.join(" ")} "$@"; }`;
    const child = Bun.spawn(["sh", "-ec", `${stubs}\n${packageLines}`], {
      cwd: home.path,
      env: cliEnvironment({ home: home.path }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, stdout]).toEqual([0, "Hi.\n"]);
    expect(stderr).toMatch(/^mdx-ai: 1 turn, about \d+ tokens in, \d+ out, \d+ total, cost unknown, .+ s\n$/);
  });

  test("is wrapped by code", async () => {
    using folder = temporaryDirectory();
    using server = anthropicServer(textReply("Wrapped."));
    symlinkSync(join(ROOT, "node_modules"), join(folder.path, "node_modules"));
    const ask = `import { endOf, eventsOf } from "${ROOT}/test/support/model-request.ts";
      import { model } from "./model.ts";
      console.log(endOf(await eventsOf(model)).message.content[0].text);`;
    writeFiles(folder.path, { "model.ts": program, "ask.ts": ask });
    const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = server.environment;
    const child = Bun.spawn([process.execPath, "--no-install", "ask.ts"], {
      cwd: folder.path,
      env: { ...process.env, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: `${ANTHROPIC_BASE_URL}/v1` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    expect([await child.exited, stdout, stderr]).toEqual([0, "Wrapped.\n", ""]);
  });
});
