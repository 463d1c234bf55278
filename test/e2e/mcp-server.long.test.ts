import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jsonValue, recordOf } from "@mdx-ai/base";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { mcpBench, textOf } from "../support/mcp-bench.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const NOISY_MODULE = `
  console.log("by console");
  Bun.spawnSync(["echo", "by a child"], { stdout: "inherit" });
  export default {
    describe: () => ({ name: "noisy", description: "Talks" }),
    initialize: async () => {},
    tools: () => [],
    systemPrompt: () => "",
    start: async () => {},
    stop: () => {},
  };`;

/** The command of a server and its folder. */
function prepared(home: string, files: Readonly<Record<string, string>>, replies: readonly Reply[] = []) {
  const directory = writeFiles(join(home, "agent"), files);
  const model = scriptReference(home, replies);
  const words = ["mcp-server", directory, "--trust", "-m", model, "--sandbox", "off"];
  return { directory, words, env: cliEnvironment({ home }) };
}

test("mdx-ai mcp-server serves our own client", async () => {
  using home = temporaryDirectory();
  const { words } = prepared(home.path, { "agent.mdx": GREETING_AGENT }, [{ text: "Hello." }]);
  const [command = "", ...args] = cliCommand(words);
  await using bench = mcpBench({ transport: "stdio", command, args, env: { HOME: home.path } });
  expect(textOf(await bench.call("greet", { name: "Ada" }))).toBe("Hello Ada");
  expect(textOf(await bench.call("prompt", { text: "Hi" }))).toContain("Hello.");
  expect(bench.warnings).toEqual([]);
});

test("a client of an older revision is asked by elicitation; standard output carries the protocol alone, and the server ends with its input", async () => {
  using home = temporaryDirectory();
  const files = { "agent.mdx": MINIMAL_AGENT, "modules/noisy.ts": NOISY_MODULE };
  const call = { id: "c1", name: "bash", arguments: { command: "echo made" } };
  const { words, env } = prepared(home.path, files, [{ calls: [call] }, { text: "Done." }]);
  const child = Bun.spawn(cliCommand([...words, "--mode", "ask"]), {
    ...{ cwd: home.path, env, stdin: "pipe", stdout: "pipe", stderr: "pipe" },
  });
  let stdout = "";
  const messages = () => stdout.split("\n").flatMap((line) => (line === "" ? [] : [recordOf(jsonValue(line))]));
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of child.stdout) stdout += decoder.decode(bytes, { stream: true });
  })();
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    void child.stdin.flush();
  };
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: { elicitation: {} }, clientInfo };
  send({ id: 1, method: "initialize", params });
  await eventually(() => messages().some(({ id }) => id === 1));
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "prompt", arguments: { text: "Make." } } });
  await eventually(() => messages().some(({ method }) => method === "elicitation/create"));
  const asked = messages().find(({ method }) => method === "elicitation/create");
  expect(asked).toHaveProperty("params.message", expect.stringContaining("echo made"));
  send({ id: asked?.["id"], result: { action: "accept", content: { answer: "yes" } } });
  await eventually(() => messages().some(({ id, result }) => id === 2 && result !== undefined));
  expect(messages().find(({ id }) => id === 2)).toHaveProperty("result.content.0.text", "Done.");
  await child.stdin.end();
  const [exitCode, stderr] = await Promise.all([child.exited, child.stderr.text(), reading]);
  expect([exitCode, stderr]).toEqual([0, expect.stringContaining("by console")]);
  expect(stderr).toContain("by a child");
  expect(messages().every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true);
});

test("--http listens with a token that it writes into a file, until it is interrupted", async () => {
  using home = temporaryDirectory();
  const { words, env } = prepared(home.path, { "agent.mdx": GREETING_AGENT });
  const child = Bun.spawn(cliCommand([...words, "--http", "--token", "token"]), {
    ...{ cwd: home.path, env, stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  });
  const decoder = new TextDecoder();
  let url = "";
  for await (const bytes of child.stdout) {
    url += decoder.decode(bytes, { stream: true });
    if (url.endsWith("\n")) break;
  }
  const token = readFileSync(join(home.path, "token"), "utf8").trim();
  {
    const headers = { Authorization: `Bearer ${token}` };
    await using bench = mcpBench({ transport: "http", url: url.trim(), headers });
    expect(textOf(await bench.call("greet", { name: "Ada" }))).toBe("Hello Ada");
  }
  child.kill("SIGTERM");
  expect(await child.exited).toBe(0);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp\n$/);
});

test.each([
  [["--port", "1"], "--port needs --http"],
  [["--token", "file"], "--token needs --http"],
])("%j is a mistake", async (flags, text) => {
  using home = temporaryDirectory();
  const { words } = prepared(home.path, { "agent.mdx": MINIMAL_AGENT });
  const { exitCode, stderr } = await runCommandLine([...words, ...flags], { home: home.path });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(text)]);
});
