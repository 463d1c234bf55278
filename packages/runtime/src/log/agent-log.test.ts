import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { localTime } from "@mdx-ai/base/disk";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { openLog } from "./agent-log.ts";

/** The same day all over the world but at its edges. */
const START = "2026-11-21T11:00:00.000Z";

test("a message is a line with its time in the file of the day, and the folder is made", async () => {
  using agent = temporaryDirectory();
  const directory = join(agent.path, "logs");
  const clock = new HandClock(START);
  const log = openLog({ directory, clock });
  await log.write("first");
  clock.pass(24 * 3_600_000);
  await log.write("second");
  expect(readdirSync(directory).sort()).toEqual(["2026-11-21.log", "2026-11-22.log"]);
  expect(readFileSync(join(directory, "2026-11-21.log"), "utf8")).toBe(`${localTime(Date.parse(START))} first\n`);
  expect(readFileSync(join(directory, "2026-11-22.log"), "utf8")).toEndWith(" second\n");
});

test("folder and file are their owner's alone", async () => {
  using agent = temporaryDirectory();
  const directory = join(agent.path, "logs");
  await openLog({ directory, clock: new HandClock(START) }).write("private");
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  expect(statSync(join(directory, "2026-11-21.log")).mode & 0o777).toBe(0o600);
});

test("a message with line breaks and control characters is one line", async () => {
  using agent = temporaryDirectory();
  const log = openLog({ directory: agent.path, clock: new HandClock(START) });
  await log.write("a\nb\r\nc\u001b[31m\u0000\u2028 Grüße 🙂\tend");
  const text = readFileSync(join(agent.path, "2026-11-21.log"), "utf8");
  expect(text.slice(text.indexOf(" ") + 1)).toBe("a\\nb\\r\\nc\\u001b[31m\\u0000\\u2028 Grüße 🙂\\tend\n");
});

test("messages that are written at once keep their order", async () => {
  using agent = temporaryDirectory();
  const log = openLog({ directory: agent.path, clock: new HandClock(START) });
  for (let count = 0; count < 200; count++) void log.write(`message ${count}`);
  await log.settled();
  const lines = readFileSync(join(agent.path, "2026-11-21.log"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => line.split(" ").slice(1).join(" "))).toEqual(
    Array.from({ length: 200 }, (_, count) => `message ${count}`),
  );
});

test("a folder that was removed is made again", async () => {
  using agent = temporaryDirectory();
  const directory = join(agent.path, "logs");
  const warnings: string[] = [];
  const log = openLog({ directory, clock: new HandClock(START), onWarning: (message) => warnings.push(message) });
  await log.write("one");
  rmSync(directory, { recursive: true });
  await log.write("two");
  expect(readFileSync(join(directory, "2026-11-21.log"), "utf8")).toEndWith("two\n");
  expect(warnings).toEqual([]);
});

test("a log that cannot be written warns once, never rejects, and does not bring back a removed agent", async () => {
  using parent = temporaryDirectory();
  const agentDir = join(parent.path, "agent");
  const warnings: string[] = [];
  const log = openLog({
    directory: join(agentDir, "logs"),
    clock: new HandClock(START),
    onWarning: (message) => warnings.push(message),
  });
  await log.write("one");
  await log.write("two");
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toStartWith("the log could not be written: ENOENT");
  expect(existsSync(agentDir)).toBe(false);
});

test("a log works again when what hindered it is gone", async () => {
  using agent = temporaryDirectory();
  const directory = join(agent.path, "logs");
  writeFileSync(directory, "a file in the way");
  const warnings: string[] = [];
  const log = openLog({ directory, clock: new HandClock(START), onWarning: (message) => warnings.push(message) });
  await log.write("lost");
  rmSync(directory);
  await log.write("kept");
  expect(warnings).toHaveLength(1);
  expect(readFileSync(join(directory, "2026-11-21.log"), "utf8")).toEndWith(" kept\n");
});

test("the lines of the file of the day are kept", async () => {
  using agent = temporaryDirectory();
  mkdirSync(join(agent.path, "logs"));
  chmodSync(join(agent.path, "logs"), 0o755);
  writeFileSync(join(agent.path, "logs/2026-11-21.log"), "before\n");
  await openLog({ directory: join(agent.path, "logs"), clock: new HandClock(START) }).write("after");
  expect(readFileSync(join(agent.path, "logs/2026-11-21.log"), "utf8")).toStartWith("before\n2026-11-21");
});
