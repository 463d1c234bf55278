import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { client, methods, ndJsonStream, PROTOCOL_VERSION, RequestError } from "@agentclientprotocol/sdk";
import { jsonValue, recordOf } from "@mdx-ai/base";
import { GREETING_AGENT, MINIMAL_AGENT, writeFiles } from "../support/agent-files.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment, runCli } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { TerminalRun } from "../support/terminal-run.ts";

const { session } = methods.agent;

interface Started {
  readonly files?: Readonly<Record<string, string>>;
  readonly replies?: readonly Reply[];
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running `mdx-ai acp`, spoken to in lines. */
function start({ files = {}, replies, args = ["--trust"], environment = {} }: Started = {}) {
  const home = temporaryDirectory();
  const directory = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT, ...files });
  const work = join(home.path, "work");
  mkdirSync(work);
  const model = replies === undefined ? [] : ["--model", scriptReference(home.path, replies)];
  return { ...launch({ home: home.path, directory, args: [...args, ...model], environment }), work, home };
}

interface Launching {
  readonly home: string;
  readonly directory: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function launch({ home, directory, args, environment = {} }: Launching) {
  const child = Bun.spawn(cliCommand(["acp", directory, ...args]), {
    cwd: home,
    env: cliEnvironment({ home, environment }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = child.stderr.text();
  const stop = async (): Promise<void> => {
    child.kill("SIGKILL");
    await child.exited;
  };
  return { child, directory, errors, stop };
}

type Running = ReturnType<typeof launch>;

/** Writes lines, each after the response to the one before, then closes standard input; returns all that the process said. */
async function exchange({ child, errors }: Running, lines: readonly string[]) {
  let stdout = "";
  const said = (): readonly string[] => stdout.split("\n").filter((line) => line !== "");
  const decoder = new TextDecoder();
  const reading = (async () => {
    for await (const bytes of child.stdout) stdout += decoder.decode(bytes, { stream: true });
  })();
  for (const line of lines) {
    child.stdin.write(`${line}\n`);
    await child.stdin.flush();
    const { id, method } = recordOf(jsonValue(line));
    if (method === undefined || id === undefined) continue;
    await eventually(() => said().some((one) => recordOf(jsonValue(one))["id"] === id));
  }
  await child.stdin.end();
  const [exitCode] = await Promise.all([child.exited, reading]);
  return { exitCode, lines: said(), stderr: await errors };
}

const request = (id: number | string, method: string, params: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

const INITIALIZE = request(0, "initialize", { protocolVersion: 1, clientCapabilities: {} });

/** The protocol's own client, connected to a process. */
function connected({ child }: Running) {
  const texts: string[] = [];
  const input = new WritableStream<Uint8Array>({
    write: async (bytes) => {
      child.stdin.write(bytes);
      await child.stdin.flush();
    },
  });
  const connection = client({ name: "test" })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === "agent_message_chunk" && update.content.type === "text")
        texts.push(update.content.text);
    })
    .onRequest(methods.client.session.requestPermission, () => ({ outcome: { outcome: "selected", optionId: "yes" } }))
    .connect(ndJsonStream(input, child.stdout));
  const initialize = () =>
    connection.agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} });
  return { agent: connection.agent, texts, initialize };
}

describe("mdx-ai acp", () => {
  test("TRANSPORT, JSONRPC-001, 003, INIT-003, INFO-PARSE, SHUTDOWN-001: speaks lines of JSON-RPC, and ends with its input", async () => {
    using home = temporaryDirectory();
    const directory = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
    const result = await exchange(launch({ home: home.path, directory, args: ["--trust", "-m", "offline"] }), [
      request("a", "initialize", {
        protocolVersion: 65_535,
        info: { name: "x", version: "1" },
        clientCapabilities: {},
      }),
      "not JSON",
      '{"foo": "bar"}',
      '{"jsonrpc": "2.0", "method": "_example.com/hello", "params": {}}',
      '{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "nowhere"}}',
      request(7, "session/list", {}),
    ]);
    const messages = result.lines.map((line) => recordOf(jsonValue(line)));
    expect(messages.map(({ id, error }) => [id, recordOf(error)["code"]])).toStrictEqual([
      ["a", undefined],
      [null, -32700],
      [null, -32600],
      [7, undefined],
    ]);
    expect(recordOf(messages[0]?.["result"])["protocolVersion"]).toBe(1);
    expect([result.exitCode, result.stderr]).toStrictEqual([0, ""]);
  });

  test("nothing but the protocol reaches standard output, whoever writes there", async () => {
    const noisy = `
      console.log("by console");
      process.stdout.write("by process\\n");
      Bun.spawnSync(["echo", "by a child"], { stdout: "inherit" });
      require("node:fs").writeSync(1, "by descriptor\\n");
      export default {
        describe: () => ({ name: "noisy", description: "Talks" }),
        initialize: async () => {},
        tools: () => [],
        systemPrompt: () => "",
        start: async () => {},
        stop: () => {},
      };`;
    const tool = GREETING_AGENT.replace(
      "const text",
      'console.log("by a tool"); process.stdout.write("by the tool\\n"); const text',
    );
    const running = start({
      files: { "agent.mdx": tool, "modules/noisy.ts": noisy },
      replies: [{ calls: [{ id: "1", name: "greet", arguments: { name: "Ada" } }] }, { text: "Greeted." }],
    });
    using _home = running.home;
    const { agent, texts, initialize } = connected(running);
    try {
      await initialize();
      const { sessionId } = await agent.request(session.new, { cwd: running.work, mcpServers: [] });
      const prompt = [{ type: "text" as const, text: "Greet Ada." }];
      expect(await agent.request(session.prompt, { sessionId, prompt })).toStrictEqual({ stopReason: "end_turn" });
      expect(texts.join("")).toBe("Greeted.");
    } finally {
      await running.child.stdin.end();
      await running.child.exited;
    }
    const errors = await running.errors;
    for (const how of ["by console", "by process", "by a child", "by descriptor"]) expect(errors).toContain(how);
  });

  test("a killed process's prompt is finished by the next one, with the words of a terminal", async () => {
    const running = start({ replies: [{ deltas: ["Half ", "an answer"], deltaDelay: 60_000 }] });
    using _home = running.home;
    const first = connected(running);
    await first.initialize();
    const { sessionId } = await first.agent.request(session.new, { cwd: running.work, mcpServers: [] });
    const ask = (text: string) => ({ sessionId, prompt: [{ type: "text" as const, text }] });
    first.agent.request(session.prompt, ask("One?")).catch(() => {});
    await eventually(() => first.texts.length > 0);
    await running.stop();
    const model = scriptReference(running.home.path, [{ text: "First." }, { text: "Second." }]);
    const next = launch({ home: running.home.path, directory: running.directory, args: ["--trust", "-m", model] });
    const second = connected(next);
    try {
      await second.initialize();
      await second.agent.request(session.load, { sessionId, cwd: running.work, mcpServers: [] });
      expect(await second.agent.request(session.prompt, ask("Two?"))).toStrictEqual({ stopReason: "end_turn" });
      expect(second.texts).toStrictEqual(["First.", "Second."]);
    } finally {
      await next.child.stdin.end();
      await next.child.exited;
    }
    const shown = await runCli(["sessions", running.directory, "show", sessionId], { home: running.home.path });
    for (const said of ["One?", "First.", "Two?", "Second."]) expect(shown.stdout).toContain(said);
  });
});

test("acpx, a client on the command line, prompts the agent and answers its questions", async () => {
  using home = temporaryDirectory();
  const directory = writeFiles(join(home.path, "agent"), { "agent.mdx": MINIMAL_AGENT });
  const work = join(home.path, "work");
  mkdirSync(work);
  const write = { id: "1", name: "write_file", arguments: { path: "a.txt", content: "one" } };
  const model = scriptReference(home.path, [{ calls: [write] }, { text: "Written." }]);
  const agent = cliCommand(["acp", directory, "--trust", "-m", model]).map((word) => `'${word}'`);
  const acpx = join(import.meta.dir, "../../node_modules/acpx/dist/cli.js");
  const words = ["--agent", agent.join(" "), "--cwd", work, "--approve-all", "--format", "quiet", "exec", "Write."];
  const child = Bun.spawn([process.execPath, acpx, ...words], {
    ...{ cwd: work, env: cliEnvironment({ home: home.path }), stdin: "ignore", stdout: "pipe", stderr: "ignore" },
  });
  const [stdout, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  expect([stdout.trim(), exitCode]).toStrictEqual(["Written.", 0]);
  expect(readdirSync(work)).toStrictEqual(["a.txt"]);
});

describe("what the user has to do first", () => {
  test("an untrusted agent answers, but opens no session: -32000 says what to run", async () => {
    const running = start({ files: { "agent.mdx": GREETING_AGENT }, args: [], replies: [{ text: "No." }] });
    using _home = running.home;
    const { lines } = await exchange(running, [
      INITIALIZE,
      request(1, "session/new", { cwd: running.work, mcpServers: [] }),
    ]);
    const error = recordOf(recordOf(jsonValue(lines.at(-1) ?? ""))["error"]);
    expect(error["code"]).toBe(-32000);
    expect(error["message"]).toContain("mdx-ai trust ");
    expect(readdirSync(running.directory)).not.toContain("sessions");
  });

  test("without a key a session is -32000, and with --setup a terminal says which", async () => {
    const running = start();
    using _home = running.home;
    const { agent, initialize } = connected(running);
    await initialize();
    const code = (asked: Promise<unknown>): Promise<unknown> =>
      asked.then(
        () => undefined,
        (error: unknown) => (error instanceof RequestError ? error.code : error),
      );
    expect(await code(agent.request(session.new, { cwd: running.work, mcpServers: [] }))).toBe(-32000);
    expect(await code(agent.request(methods.agent.authenticate, { methodId: "key" }))).toBe(-32000);
    await running.stop();
    const setup = await runCli(["acp", running.directory, "--setup", "--trust"], { home: running.home.path });
    expect([setup.exitCode, setup.stdout]).toStrictEqual([1, expect.stringContaining("ANTHROPIC_API_KEY")]);
  });

  test("--setup on a terminal trusts the agent from then on", async () => {
    using home = temporaryDirectory();
    const directory = writeFiles(join(home.path, "agent"), { "agent.mdx": GREETING_AGENT });
    await using run = new TerminalRun(["acp", directory, "--setup", "-m", "offline"], { home: home.path });
    await run.shows("Do you trust this directory?");
    run.write("\u001b[B\u001b[B\r");
    expect(await run.exited).toBe(0);
    expect(run.output).toContain("ready for the editor");
    const running = launch({ home: home.path, directory, args: ["-m", "offline"] });
    const { lines } = await exchange(running, [
      INITIALIZE,
      request(1, "session/new", { cwd: home.path, mcpServers: [] }),
    ]);
    expect(lines.map((line) => recordOf(jsonValue(line))).find(({ id }) => id === 1)).toHaveProperty(
      "result.sessionId",
    );
  });
});
