import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { heartbeatHolder } from "@mdx-ai/runtime/heartbeat";
import { agentDirectory } from "../support/agent-directory.ts";
import { eventually } from "../support/eventually.ts";
import { type Reply, scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** Starts `mdx-ai run` on an agent with a script as its model. */
function startRun(directory: string, home: string, replies: readonly Reply[]) {
  const model = scriptReference(home, replies);
  const child = Bun.spawn(cliCommand(["run", directory, "--trust", "--model", model]), {
    ...{ cwd: home, env: cliEnvironment({ home }) },
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

test("run prints answers, SIGHUP loads changed files, and SIGTERM stops with the running step journaled", async () => {
  using home = temporaryDirectory();
  using directory = agentDirectory({ "heartbeat.md": "@every: 1s\n" });
  const beat = join(directory.path, "heartbeat.md");
  const slow = { calls: [{ id: "1", name: "bash", arguments: { command: "echo begun > begun; sleep 60" } }] };
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
  expect(journal).toContain("sleep 60");
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
