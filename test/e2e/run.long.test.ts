import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { heartbeatHolder } from "@mdx-ai/runtime/heartbeat";
import { agentDirectory } from "../support/agent-directory.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const TOKEN = "a-token-of-the-server";

/** Starts `mdx-ai run` on an agent with a script as its model. */
function startRun(directory: string, home: string, replies: readonly Reply[], more: readonly string[] = []) {
  const model = scriptReference(home, replies);
  const child = Bun.spawn(cliCommand(["run", directory, "--trust", "--model", model, ...more]), {
    ...{ cwd: home, env: cliEnvironment({ home, environment: { TOKEN } }) },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  let printed = "";
  const reading = (async () => {
    const decoder = new TextDecoder();
    for await (const part of child.stdout) printed += decoder.decode(part, { stream: true });
  })();
  const until = (text: string): Promise<void> =>
    eventually(
      () => printed.includes(text),
      () => `no ${JSON.stringify(text)} in ${JSON.stringify(printed)}`,
    );
  return { child, reading, until, printed: () => printed };
}

test("run prints answers, SIGHUP loads changed files, and SIGTERM waits for the running step, which is journaled", async () => {
  using home = temporaryDirectory();
  using directory = agentDirectory({ "heartbeat.md": "@every: 1s\n" });
  const beat = join(directory.path, "heartbeat.md");
  const slow = {
    calls: [{ id: "1", name: "bash", arguments: { command: "echo begun > begun; sleep 3; echo finished" } }],
  };
  const run = startRun(directory.path, home.path, [{ text: "I am awake" }, slow]);
  await run.until("running; next: On Wake at ");
  await run.until("I am awake");
  // The second wake runs a command.
  await eventually(() => existsSync(join(directory.path, "begun")));
  writeFileSync(beat, "@every: 1h\n");
  run.child.kill("SIGHUP");
  await run.until("reloaded");
  const since = performance.now();
  run.child.kill("SIGTERM");
  expect(await run.child.exited).toBe(0);
  expect(performance.now() - since).toBeLessThan(10_000);
  await run.reading;
  expect(run.printed()).toContain("stopped");
  const lines = readFileSync(join(directory.path, "state/heartbeat.jsonl"), "utf8").trimEnd().split("\n");
  const types = lines.map((line): string => JSON.parse(line).type);
  expect(types.filter((type) => type === "began").length).toBe(types.filter((type) => type === "ended").length + 1);
  const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  expect(journal).toContain("finished\\n");
});

test("of two processes one wakes the agent, also when another one asks for a run, and the other takes over after a kill", async () => {
  using home = temporaryDirectory();
  using directory = agentDirectory({ "heartbeat.md": "@every: 1h\n@session: isolated\n" });
  const first = startRun(directory.path, home.path, [{ text: "from the first" }]);
  await first.until("running; next: On Wake at ");
  const second = startRun(directory.path, home.path, [{ text: "from the second" }]);
  await second.until("running; next: On Wake at ");
  const runNow = () => runCommandLine(["heartbeat", directory.path, "run", "On Wake"], { home: home.path });
  expect(await runNow()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("asked the process") });
  expect([first.printed(), second.printed()].map((text) => text.includes("from the"))).toEqual([true, false]);
  first.child.kill("SIGKILL");
  await first.child.exited;
  const since = performance.now();
  await eventually(() => heartbeatHolder(directory.path)?.includes(String(second.child.pid)) === true);
  expect(performance.now() - since).toBeLessThan(30_000);
  expect((await runNow()).exitCode).toBe(0);
  await second.until("from the second");
  second.child.kill("SIGTERM");
  expect(await second.child.exited).toBe(0);
});

test("with --serve the same agents take prompts over HTTP, SIGHUP loads changed files, and a second one on the port is refused", async () => {
  using home = temporaryDirectory();
  using directory = agentDirectory({ "heartbeat.md": "@every: 1s\n@session: beat\n" });
  const run = startRun(
    directory.path,
    home.path,
    [{ text: "I am awake" }, ...Array(30).fill({ text: "HEARTBEAT_OK" })],
    [...["--serve", "--token", "env:TOKEN"]],
  );
  await run.until("I am awake");
  const url = /^http:\/\/127\.0\.0\.1:\d+$/m.exec(run.printed())?.[0] ?? "";
  const port = url.split(":").at(-1) ?? "";
  const get = async (path: string): Promise<string> =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } })).text();
  await eventually(async () => (await get("/readyz")).includes("ready"));
  expect(await get(`/api/agents/${basename(directory.path)}/sessions/beat/events?after=0.0&follow=false`)).toContain(
    "I am awake",
  );
  writeFileSync(join(directory.path, "heartbeat.md"), "@every: 1h\n");
  run.child.kill("SIGHUP");
  await run.until("reloaded");
  expect(await get(`/api/agents/${basename(directory.path)}/heartbeats`)).toContain('"interval":3600000');
  const second = await runCommandLine(
    ["run", directory.path, "--trust", "--serve", "--port", port, "--token", "env:TOKEN"],
    {
      ...{ home: home.path, environment: { TOKEN, NODE_ENV: "production" } },
    },
  );
  expect(second).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`cannot listen on 127.0.0.1, port ${port}`),
  });
  run.child.kill("SIGTERM");
  expect(await run.child.exited).toBe(0);
});

test("options of the server need --serve", async () => {
  using home = temporaryDirectory();
  using directory = agentDirectory();
  const { exitCode, stderr } = await runCommandLine(["run", directory.path, "--port", "4100"], { home: home.path });
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining("--port needs --serve")]);
});

test("a module whose timer throws is shown, and after five failures in a minute stopped; the agent runs on", async () => {
  using home = temporaryDirectory();
  const module = `import { writeFileSync } from "node:fs";
export default {
  start: async () => {
    setInterval(() => { throw new Error("no network"); }, 1);
    void Promise.reject(new Error("rejected"));
  },
  stop: () => writeFileSync(import.meta.dir + "/stopped", ""),
};
`;
  using directory = agentDirectory({ "heartbeat.md": "@every: 1s\n", "modules/timer.ts": module });
  const run = startRun(directory.path, home.path, [{ text: "I am awake" }]);
  await run.until("modules/timer.ts: rejected");
  await run.until("modules/timer.ts: no network");
  await run.until("modules/timer.ts: stopped, because it failed 5 times within a minute");
  expect(existsSync(join(directory.path, "modules/stopped"))).toBe(true);
  await run.until("I am awake");
  run.child.kill("SIGTERM");
  expect(await run.child.exited).toBe(0);
});

test("many agents run in one process; one that cannot be opened is shown, and the exit code says so at the end", async () => {
  using home = temporaryDirectory();
  const beat = { "heartbeat.md": "@every: 1s\n" };
  using one = agentDirectory({ ...beat, "agent.mdx": "# Agent: One\n\n## Purpose\n\nBe one.\n" });
  using two = agentDirectory({ ...beat, "agent.mdx": "# Agent: Two\n\n## Purpose\n\nBe two.\n" });
  using broken = agentDirectory({ "agent.mdx": '# Agent: Broken\n\n## Purpose\n\nFail.\n\n<Tool name="" />\n' });
  const run = startRun(one.path, home.path, [{ text: "I am awake" }], [two.path, broken.path]);
  await run.until(" One: I am awake");
  await run.until(" Two: I am awake");
  run.child.kill("SIGTERM");
  expect(await run.child.exited).toBe(1);
  expect(await new Response(run.child.stderr).text()).toContain("cannot run until its 3 errors are fixed");
});
