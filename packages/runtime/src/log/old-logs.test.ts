import { expect, test } from "bun:test";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { sessionLogName } from "@mdx-ai/sessions";
import { writeText } from "../../../../test/support/agent-files.ts";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openOldLogs, removeOldLogs } from "./old-logs.ts";
import { recordLine, sessionRecord } from "./session-record.ts";

const DAY = 86_400_000;
const NOW = Date.parse("2026-11-21T09:00:00.000Z");

const record = (session: string): string =>
  `${recordLine(sessionRecord(NOW, { level: "INFO", event: "session_start", session_id: session, turn: 0, actor: "system" }))}\n`;

/** Writes a file of `logs/` to which nothing was written for so many days. */
function write(agent: TemporaryDirectory, name: string, { text = record("main"), days = 31 } = {}): string {
  const path = join(agent.path, "logs", name);
  writeText(path, text);
  const time = (NOW - days * DAY) / 1000;
  utimesSync(path, time, time);
  return path;
}

const names = (agent: TemporaryDirectory): readonly string[] =>
  existsSync(join(agent.path, "logs")) ? readdirSync(join(agent.path, "logs")).toSorted() : [];

const remove = (agent: TemporaryDirectory): Promise<void> => removeOldLogs(join(agent.path, "logs"), NOW - 30 * DAY);

const LONG = "日".repeat(100);
const OWN = [
  "2026-10-01.log",
  sessionLogName("main"),
  sessionLogName("main", NOW - 31 * DAY),
  sessionLogName("2026-04-28_10"),
  sessionLogName("über.a-b_c"),
  sessionLogName(LONG),
  sessionLogName(LONG, NOW),
];

test.each(OWN)("%s is removed when nothing was written to it for longer than that, and not before", async (name) => {
  using agent = temporaryDirectory();
  write(agent, name, { days: 29.9 });
  await remove(agent);
  expect(names(agent)).toStrictEqual([name]);
  write(agent, name, { days: 30.1 });
  await remove(agent);
  expect(names(agent)).toStrictEqual([]);
});

test.each([
  ["notes.txt", "mine"],
  ["2026-10-01.log.gz", "mine"],
  ["2026-10-01.LOG", "mine"],
  ["app.log", "mine"],
  ["data.jsonl", '{"mine":true}\n'],
  ["empty.jsonl", ""],
  ["main@yesterday.jsonl", record("main")],
  [".main.jsonl", record("main")],
  ["main.jsonl.bak", record("main")],
])("%s, which is no log of the agent, stays however old it is", async (name, text) => {
  using agent = temporaryDirectory();
  const path = write(agent, name, { text, days: 5000 });
  await remove(agent);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("links, and folders under a log's name, stay and lead nowhere", async () => {
  using agent = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  const target = write(elsewhere, "main.jsonl", { days: 5000 });
  mkdirSync(join(agent.path, "logs/2026-10-02.log"), { recursive: true });
  for (const name of ["2026-10-01.log", "main.jsonl"]) symlinkSync(target, join(agent.path, "logs", name));
  await remove(agent);
  expect(names(agent)).toStrictEqual(["2026-10-01.log", "2026-10-02.log", "main.jsonl"]);
  expect(existsSync(target)).toBe(true);
});

test("a folder of logs that is a link, or is not there, is left alone", async () => {
  using agent = temporaryDirectory();
  using elsewhere = temporaryDirectory();
  await remove(agent);
  const target = write(elsewhere, "main.jsonl", { days: 5000 });
  symlinkSync(join(elsewhere.path, "logs"), join(agent.path, "logs"));
  await remove(agent);
  expect(existsSync(target)).toBe(true);
  expect(lstatSync(join(agent.path, "logs")).isSymbolicLink()).toBe(true);
});

test("logs are looked at once a day, out of the way, after what is noted was written", async () => {
  using agent = temporaryDirectory();
  const clock = new HandClock("2026-11-21T09:00:00.000Z");
  const written: string[] = [];
  const warnings: string[] = [];
  const logs = openOldLogs({
    directory: join(agent.path, "logs"),
    clock,
    days: () => 30,
    written: async () => {
      // A log that was idle for long and is written to now must not go.
      written.push(write(agent, "main.jsonl", { days: 0 }));
    },
    onWarning: (message) => warnings.push(message),
  });
  for (const name of ["main.jsonl", "2026-10-01.log"]) write(agent, name);
  await logs.settled();
  expect(names(agent)).toStrictEqual(["2026-10-01.log", "main.jsonl"]);
  logs.look();
  expect(names(agent)).toStrictEqual(["2026-10-01.log", "main.jsonl"]);
  await logs.settled();
  expect(names(agent)).toStrictEqual(["main.jsonl"]);

  write(agent, "2026-10-01.log");
  clock.pass(DAY - 1);
  logs.look();
  await logs.settled();
  expect([names(agent).length, written.length]).toStrictEqual([2, 1]);
  clock.pass(1);
  logs.look();
  await logs.settled();
  expect(names(agent)).toStrictEqual(["main.jsonl"]);
  expect(warnings).toStrictEqual([]);
});

test("the number of days may change while an agent is open: it counts at the next look", async () => {
  using agent = temporaryDirectory();
  const clock = new HandClock("2026-11-21T09:00:00.000Z");
  let days: number | undefined;
  const logs = openOldLogs({ directory: join(agent.path, "logs"), clock, days: () => days, written: async () => {} });
  const left: number[] = [];
  for (const next of [undefined, 40, 30, undefined, 20]) {
    days = next;
    logs.look();
    await logs.settled();
    left.push(names(agent).length);
    if (next === undefined) write(agent, "2026-10-01.log");
  }
  expect(left).toStrictEqual([0, 1, 0, 0, 0]);
});

test("a failure is warned of once, in one line, and stops nothing", async () => {
  using agent = temporaryDirectory();
  const clock = new HandClock("2026-11-21T09:00:00.000Z");
  const warnings: string[] = [];
  const logs = openOldLogs({
    directory: agent.path,
    clock,
    days: () => 1,
    written: () => Promise.reject(new Error("no\nway")),
    onWarning: (message) => warnings.push(message),
  });
  for (let look = 0; look < 2; look++) {
    logs.look();
    await logs.settled();
    clock.pass(DAY);
  }
  expect(warnings).toStrictEqual(["old logs could not be removed: no\\nway"]);
});
