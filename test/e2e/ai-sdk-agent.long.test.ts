import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory, toolText } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { answerEvents, failureReply, textReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { linkPackage } from "../support/package-folder.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const reference = "ai-sdk:@ai-sdk/anthropic#claude-sonnet-4-5";
const looking = { "agent.mdx": MINIMAL_AGENT + toolText("look", "  return params.text + ': calm';") };

/** Where the package finds a server, by its own variables. */
function variables({ environment }: AnthropicServer): Record<string, string> {
  const { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL } = environment;
  return { ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL: `${ANTHROPIC_BASE_URL}/v1` };
}

test("an agent runs on a package that is installed in its folder, and its session continues in another process", async () => {
  const looks = answerEvents([
    { thinking: ["The sea?"], signature: "EqQBCkgIBxAB+/==" },
    { id: "toolu_1", name: "look", json: ['{"text":"sea"}'] },
    { id: "toolu_2", name: "look", json: ['{"text":"sky"}'] },
  ]);
  using server = anthropicServer({ events: looks }, textReply("All calm."), textReply("Still calm."));
  using agent = agentDirectory(looking);
  linkPackage(agent.path, "@ai-sdk/anthropic");
  const home = join(agent.path, "home");
  const ask = (text: string) =>
    runCli(["agent", agent.path, "--trust", "--model", reference, "--prompt", text], {
      home,
      environment: variables(server),
    });
  const first = await ask("Look around");
  expect(first).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("All calm.") });
  const second = await ask("And now?");
  expect(second).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Still calm.") });
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined, undefined]);
  expect(server.requests[2]?.body).toMatchObject({
    messages: [
      { role: "user" },
      { role: "assistant", content: [{ type: "thinking", signature: "EqQBCkgIBxAB+/==" }, {}, {}] },
      {
        role: "user",
        content: [
          { tool_use_id: "toolu_1", content: "sea: calm" },
          { tool_use_id: "toolu_2", content: "sky: calm" },
        ],
      },
      { role: "assistant" },
      { role: "user" },
    ],
  });
});

test("a package in the folder of an untrusted agent is not run", async () => {
  using agent = agentDirectory({
    "agent.mdx": `---\nmodel: "ai-sdk:hand#model-1"\n---\n${MINIMAL_AGENT}`,
    "node_modules/hand/package.json": '{"name":"hand","type":"module","exports":"./index.js"}',
    "node_modules/hand/index.js": 'require("node:fs").writeFileSync(import.meta.dir + "/ran", "");',
  });
  const home = join(agent.path, "home");
  const ran = join(agent.path, "node_modules/hand/ran");
  for (const args of [
    ["agent", agent.path, "--prompt", "Hello"],
    ["models", agent.path],
    ["check", agent.path],
  ]) {
    await runCli(args, { home });
    expect(existsSync(ran)).toBe(false);
  }
  await runCli(["agent", agent.path, "--trust", "--prompt", "Hello"], { home });
  expect(existsSync(ran)).toBe(true);
});

test.each([[[]], [["--json"]], [["--debug"]]])(
  "the key of a package is in nothing that a run with %j prints, journals or logs, though the server quotes it",
  async (options) => {
    const key = "sk-ant-api03-Very_Secret-Key_123456";
    const quotes = { message: `the key ${key} is odd` };
    using server = anthropicServer(
      failureReply(529, "overloaded_error", { ...quotes, headers: { "retry-after-ms": "1", "x-key": key } }),
      { events: [{ type: "error", error: { type: "overloaded_error", ...quotes } }] },
      failureReply(401, "authentication_error", quotes),
    );
    using agent = agentDirectory();
    linkPackage(agent.path, "@ai-sdk/anthropic");
    const args = ["agent", agent.path, "--trust", "--model", reference, "--prompt", "Hello", ...options];
    const environment = { ...variables(server), ANTHROPIC_API_KEY: key };
    const run = await runCli(args, { home: join(agent.path, "home"), environment });
    expect([run.exitCode, server.requests.length]).toEqual([1, 3]);
    const files = ["sessions", "state", "logs"].flatMap((folder) =>
      readdirSync(join(agent.path, folder), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    );
    const texts = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"));
    const all = [run.stdout, run.stderr, ...texts].join("\n");
    expect(all).toContain("[key] is odd");
    for (const part of [key, key.slice(0, 16), key.slice(-16)]) expect(all).not.toContain(part);
  },
);

test("where the package is not installed, the run ends and says how to install it", async () => {
  using agent = agentDirectory();
  const args = ["agent", agent.path, "--trust", "--model", "ai-sdk:@hand/written#model-1", "--prompt", "Hello"];
  const { exitCode, stderr } = await runCli(args, { home: join(agent.path, "home") });
  expect(exitCode).toBe(1);
  expect(stderr).toContain(
    `@hand/written is not installed. Install it in ${agent.path}: bun add @hand/written, or npm install @hand/written.\n`,
  );
});

test("without the key that the package wants, the run ends and names the variable", async () => {
  using agent = agentDirectory();
  linkPackage(agent.path, "@ai-sdk/anthropic");
  const args = ["agent", agent.path, "--trust", "--model", reference, "--prompt", "Hello"];
  const { exitCode, stderr } = await runCli(args, { home: join(agent.path, "home") });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("ANTHROPIC_API_KEY is not set.");
});

test("a package that is swapped while the user is asked for trust is not run", async () => {
  const code = "node_modules/hand/index.js";
  using folder = temporaryDirectory();
  const { path: home } = folder;
  writeFiles(join(home, "agent"), {
    "agent.mdx": `---\nmodel: "ai-sdk:hand#m"\n---\n${MINIMAL_AGENT}`,
    "node_modules/hand/package.json": '{"name":"hand","type":"module","exports":"./index.js"}',
    [code]: "export const hand = 1;",
  });
  await using terminal = new TerminalRun(["agent", "agent", "--prompt", "hi"], { home });
  await terminal.shows("Do you trust this directory?");
  writeFiles(join(home, "agent"), {
    [code]: 'import { writeFileSync } from "node:fs"; writeFileSync(import.meta.dirname + "/ran", "");',
  });
  terminal.write("\u001b[B\r");
  expect(await terminal.exited).toBe(1);
  expect(terminal.output).toContain("has changed since it was trusted");
  expect(existsSync(join(home, "agent/node_modules/hand/ran"))).toBe(false);
});

test("a package of the current folder is never run, even if it is named and the agent is trusted", async () => {
  using folder = temporaryDirectory();
  const { path: home } = folder;
  writeFiles(home, {
    "agent/agent.mdx": `---\nmodel: "ai-sdk:hand#m"\n---\n${MINIMAL_AGENT}`,
    "node_modules/hand/package.json": '{"name":"hand","type":"module","exports":"./index.js"}',
    "node_modules/hand/index.js":
      'import { writeFileSync } from "node:fs"; writeFileSync(import.meta.dirname + "/ran", "");',
  });
  await runCli(["trust", "agent", "--edits"], { home });
  for (const more of [[], ["--trust"], ["--model", "ai-sdk:hand#other"]]) {
    const { exitCode, stderr } = await runCli(["agent", "agent", "--prompt", "hi", ...more], { home });
    expect(stderr).toContain(`hand is not installed. Install it in ${join(home, "agent")}: bun add hand`);
    expect([exitCode, existsSync(join(home, "node_modules/hand/ran"))]).toStrictEqual([1, false]);
  }
});

test("a package in the folder of a trusted agent that its settings do not name is not run for a model of the command line", async () => {
  using agent = agentDirectory({
    "agent.mdx": MINIMAL_AGENT,
    "node_modules/hand/package.json": '{"name":"hand","type":"module","exports":"./index.js"}',
    "node_modules/hand/index.js":
      'import { writeFileSync } from "node:fs"; writeFileSync(import.meta.dirname + "/ran", "");',
  });
  using folder = temporaryDirectory();
  const { path: home } = folder;
  await runCli(["trust", agent.path], { home });
  const { exitCode, stderr } = await runCli(["agent", agent.path, "--model", "ai-sdk:hand#m", "--prompt", "hi"], {
    home,
  });
  expect([exitCode, existsSync(join(agent.path, "node_modules/hand/ran"))]).toStrictEqual([1, false]);
  expect(stderr).toContain("hand is not installed");
});
