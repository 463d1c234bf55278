import { expect, test } from "bun:test";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { HandClock } from "../../../../test/support/hand-clock.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { SessionLogFiles } from "./session-log-files.ts";
import { type SessionRecord, sessionRecord } from "./session-record.ts";

const START = Date.parse("2026-11-21T09:00:00.000Z");

const record = (input: string, more: Partial<SessionRecord> = {}): SessionRecord =>
  sessionRecord(START, {
    level: "INFO",
    event: "user_message",
    session_id: "main",
    turn: 1,
    actor: "user",
    input,
    ...more,
  });

function open(agent: TemporaryDirectory): { files: SessionLogFiles; directory: string; warnings: string[] } {
  const directory = join(agent.path, "logs");
  const warnings: string[] = [];
  const clock = new HandClock("2026-11-21T09:00:00.000Z");
  const onWarning = (message: string): void => void warnings.push(message);
  return { files: new SessionLogFiles({ directory, clock, onWarning }), directory, warnings };
}

/** What the lines of a log hold as their input. */
const inputs = (path: string): unknown[] =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).input);

const note = (files: SessionLogFiles, made: SessionRecord): void => files.note(made.session_id, () => made);

test("a record is a line of 15 keys in the order of the seed, in a file of its session that its owner alone can read", async () => {
  using agent = temporaryDirectory();
  const { files, directory } = open(agent);
  note(files, record("hi"));
  note(files, record("there", { session_id: "work" }));
  note(files, record("again"));
  await files.settled();
  expect(readdirSync(directory).toSorted()).toStrictEqual(["main.jsonl", "work.jsonl"]);
  expect(inputs(join(directory, "main.jsonl"))).toStrictEqual(["hi", "again"]);
  expect(readFileSync(join(directory, "work.jsonl"), "utf8")).toBe(
    '{"ts":"2026-11-21T09:00:00.000Z","level":"INFO","event":"user_message","session_id":"work","turn":1,"actor":"user",' +
      '"model":null,"input":"there","output":null,"tool_name":null,"prompt_tokens":null,"completion_tokens":null,' +
      '"thinking_tokens":null,"latency_ms":null,"error":null}\n',
  );
  expect([directory, join(directory, "main.jsonl")].map((path) => statSync(path).mode & 0o777)).toStrictEqual([
    0o700, 0o600,
  ]);
});

test("noting does not write at once but soon after", async () => {
  using agent = temporaryDirectory();
  const { files, directory } = open(agent);
  note(files, record("hi"));
  expect(existsSync(directory)).toBe(false);
  await files.settled();
  expect(inputs(join(directory, "main.jsonl"))).toStrictEqual(["hi"]);
});

test("the record of any text is one line of printable characters that reads back the same", async () => {
  using agent = temporaryDirectory();
  const { files, directory } = open(agent);
  const text = "a\r\nb\u0000\u001b[31m\u007f\u0085\u009b2J\u2028\u2029\ud800 Grüße 🙂";
  note(files, record(text));
  await files.settled();
  const line = readFileSync(join(directory, "main.jsonl"), "utf8");
  expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
  expect(JSON.parse(line).input).toBe(text);
});

test("a log that is set aside keeps what it holds under the time, and the next record begins a new one", async () => {
  using agent = temporaryDirectory();
  const { files, directory } = open(agent);
  for (const text of ["first", "second"]) {
    note(files, record(text));
    files.setAside("main", START);
  }
  files.setAside("main", START);
  note(files, record("third"));
  await files.settled();
  const names = ["main.jsonl", "main@2026-11-21T09-00-00.000Z.jsonl", "main@2026-11-21T09-00-00.001Z.jsonl"];
  expect(readdirSync(directory).toSorted()).toStrictEqual(names);
  expect(names.flatMap((name) => inputs(join(directory, name)))).toStrictEqual(["third", "first", "second"]);
});

test("of a resumed prompt only the missing records are written, each as often as it happened", async () => {
  using agent = temporaryDirectory();
  const first = open(agent);
  const path = join(first.directory, "main.jsonl");
  for (const text of ["before", "a", "a"]) note(first.files, record(text, { turn: text === "before" ? 1 : 2 }));
  await first.files.settled();
  appendFileSync(path, '7\nnull\n[]\n{"turn":2}\n{"ts":"half a li');

  const { files } = open(agent);
  files.continue("main", 2);
  for (const text of ["a", "a", "a", "b"]) {
    note(files, record(text, { turn: 2, ts: "2026-11-21T10:00:00.000Z", latency_ms: 7 }));
  }
  for (const text of ["a", "b"]) note(files, record(text, { turn: 3 }));
  await files.settled();
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const records = lines.filter((line) => line.includes("user_message")).map((line) => JSON.parse(line));
  expect(records.map(({ turn, input }) => `${turn} ${input}`)).toStrictEqual([
    "1 before",
    "2 a",
    "2 a",
    "2 a",
    "2 b",
    "3 a",
    "3 b",
  ]);
});

test("a resumed prompt without a log is written whole", async () => {
  using agent = temporaryDirectory();
  const { files, directory, warnings } = open(agent);
  files.continue("main", 1);
  note(files, record("a"));
  await files.settled();
  expect(inputs(join(directory, "main.jsonl"))).toStrictEqual(["a"]);
  expect(warnings).toStrictEqual([]);
});

test("a folder that was removed is made again, but not a removed agent", async () => {
  using parent = temporaryDirectory();
  const agent = { ...parent, path: join(parent.path, "agent") };
  mkdirSync(agent.path);
  const { files, directory, warnings } = open(agent);
  note(files, record("one"));
  await files.settled();
  rmSync(directory, { recursive: true });
  note(files, record("two"));
  await files.settled();
  expect(inputs(join(directory, "main.jsonl"))).toStrictEqual(["two"]);
  expect(warnings).toStrictEqual([]);

  rmSync(agent.path, { recursive: true });
  note(files, record("three"));
  await files.settled();
  expect(existsSync(agent.path)).toBe(false);
  expect(warnings).toStrictEqual([expect.stringMatching(/^the log of a session could not be written: ENOENT/)]);
});

test("a link where a log should be is refused with one warning, and other sessions are written", async () => {
  using agent = temporaryDirectory();
  const { files, directory, warnings } = open(agent);
  const target = join(agent.path, "target");
  writeFileSync(target, "mine");
  mkdirSync(directory);
  const path = join(directory, "main.jsonl");
  symlinkSync(target, path);
  for (const text of ["one", "two"]) {
    files.continue("main", 1);
    note(files, record(text));
    files.setAside("main", START);
    note(files, record(text, { session_id: "work" }));
    await files.settled();
  }
  expect(readFileSync(target, "utf8")).toBe("mine");
  expect(readdirSync(directory).toSorted()).toStrictEqual(["main.jsonl", "work.jsonl"]);
  expect(inputs(join(directory, "work.jsonl"))).toStrictEqual(["one", "two"]);
  expect(warnings).toStrictEqual([
    `the log of a session could not be written: ${path} is a symbolic link, which is not followed; put the files themselves there`,
  ]);
});
