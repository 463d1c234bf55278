import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { type Reply, scriptReference } from "../../support/replies.ts";
import type { CliResult } from "../../support/run-cli.ts";
import { runCommandLine } from "../../support/run-command-line.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const HEARTBEAT = `@every: 1h

## Routine Tasks

- Every day at 09:00: Daily summary
- Every hour: Guarded
  @gate:
  \`\`\`ts
  async function gate() { return false; }
  \`\`\`
`;

/** Writes what an earlier process recorded. */
function record(directory: string, lines: readonly object[]): void {
  mkdirSync(join(directory, "state"), { recursive: true });
  writeFileSync(join(directory, "state/heartbeat.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const ago = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

async function heartbeat(directory: string, ...words: readonly string[]): Promise<CliResult> {
  using home = temporaryDirectory();
  return await runCommandLine(["heartbeat", directory, ...words], { home: home.path });
}

const ended = (task: string, minutes: number, more: object = {}): object => ({
  ...{ type: "ended", at: ago(minutes), task, run: "r", outcome: "done", usd: 0.25, tokens: 100 },
  ...more,
});

test("what is due when, what ran, how it ended and what it cost is shown, as text and as JSON", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  record(directory.path, [
    { type: "planned", at: ago(30), task: "On Wake" },
    ended("Daily summary", 20),
    ended("Daily summary", 60 * 24 * 20),
  ]);
  const shown = await heartbeat(directory.path, "--json");
  expect(shown.exitCode).toBe(0);
  const { tasks, runs } = JSON.parse(shown.stdout);
  expect(tasks.map(({ name, failures }: { name: string; failures: number }) => [name, failures])).toEqual([
    ["On Wake", 0],
    ["Daily summary", 0],
    ["Guarded", 0],
  ]);
  expect(Math.abs(Date.parse(tasks[0].next) - Date.now() - 30 * 60_000)).toBeLessThan(60_000);
  expect(runs).toEqual([{ task: "Daily summary", at: runs[0].at, outcome: "done", usd: 0.25, tokens: 100 }]);
  const text = (await heartbeat(directory.path, "--since", "60d")).stdout;
  expect(text).toContain("Runs: 200 tokens, $0.50\n");
  expect(text).toMatch(/ On Wake: next \d{4}-\d\d-\d\d \d\d:\d\d, in /);
});

test.each<readonly [name: string, lines: readonly object[]]>([
  ["failed", [ended("On Wake", 5, { outcome: "error", reason: "no key" })]],
  ["did not run, because the limit of the day was reached", [{ type: "skipped", at: ago(5), task: "On Wake", due: ago(5), count: 1, outcome: "limit" }]], // biome-ignore format: short
])("the exit code is 1 if something %s", async (_name, lines) => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  record(directory.path, lines);
  expect((await heartbeat(directory.path)).exitCode).toBe(1);
});

test("complaint: a scheduler that dies silently: what is overdue because no process runs is shown, with exit code 1", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  record(directory.path, [{ type: "planned", at: ago(70), task: "On Wake" }]);
  const { exitCode, stdout } = await heartbeat(directory.path);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/On Wake: next .*; did not run at \d{4}-\d\d-\d\d \d\d:\d\d, 10 min ago/);
});

test("run runs a task now and prints its answer, and a gate that says no asks no model", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  using scripts = temporaryDirectory();
  const run = (task: string, replies: readonly Reply[]): Promise<CliResult> =>
    heartbeat(directory.path, "run", task, "--trust", "--model", scriptReference(scripts.path, replies));
  const answered = await run("daily summary", [{ text: "All is well" }]);
  expect([answered.exitCode, answered.stdout]).toEqual([0, "All is well\n"]);
  const guarded = await run("Guarded", []);
  expect([guarded.exitCode, guarded.stdout, guarded.stderr]).toEqual([0, "", expect.stringContaining("gated")]);
  const failed = await run("On Wake", [{ error: { message: "no such key", status: 401 } }]);
  expect([failed.exitCode, failed.stderr]).toEqual([1, expect.stringContaining("no such key")]);
  expect(JSON.parse((await heartbeat(directory.path, "--json")).stdout).runs).toMatchObject([
    { task: "Daily summary", outcome: "done" },
    { task: "Guarded", outcome: "gated", tokens: 0 },
    { task: "On Wake", outcome: "error" },
  ]);
});

test("pause and resume are recorded, and shown", async () => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  expect((await heartbeat(directory.path, "pause")).exitCode).toBe(0);
  expect((await heartbeat(directory.path)).stdout).toStartWith("Paused: ");
  await heartbeat(directory.path, "resume");
  expect((await heartbeat(directory.path)).stdout).toStartWith("Tasks\n");
  const lines = readFileSync(join(directory.path, "state/heartbeat.jsonl"), "utf8");
  expect(lines.match(/paused|resumed/g)).toEqual(["paused", "resumed"]);
});

test.each([
  [["run", "Daily sumary"], 'there is no task "Daily sumary"; did you mean `Daily summary`?'],
  [["--since", "soon"], "--since needs a time such as 24h, 7d or 2026-05-08"],
  [["stop"], "unknown action"],
  [["pause", "--json"], "--json is not an option of heartbeat pause"],
])("wrong arguments %j are refused", async (words, message) => {
  using directory = agentDirectory({ "heartbeat.md": HEARTBEAT });
  const { exitCode, stderr } = await heartbeat(directory.path, ...words);
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("tasks of modules are shown and run as the others, without running code to show them, and are gone with their module", async () => {
  const module = `export default {
  initialize: async (ctx) => {
    await ctx.schedule({ name: "look", when: "1h", run: () => ctx.log("looked") });
  },
};
`;
  using directory = agentDirectory({ "modules/inbox.ts": module });
  expect(await heartbeat(directory.path)).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("Nothing wakes"),
  });
  record(directory.path, [
    {
      type: "planned",
      at: ago(30),
      task: "inbox: look",
      plan: { times: [{ type: "interval", milliseconds: 3_600_000 }] },
    },
  ]);
  const names = async (): Promise<string[]> =>
    JSON.parse((await heartbeat(directory.path, "--json")).stdout).tasks.map(({ name }: { name: string }) => name);
  expect(await names()).toEqual(["inbox: look"]);
  const ran = await heartbeat(directory.path, "run", "inbox: look", "--json", "--trust");
  expect([ran.exitCode, JSON.parse(ran.stdout).outcome]).toEqual([0, "done"]);
  rmSync(join(directory.path, "modules/inbox.ts"));
  expect(await names()).toEqual([]);
});
