import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalError } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { repairJournal } from "./repair-journal.ts";

const whole = '{"v":1,"prompt":1,"step":"begin","result":"ä"}\n{"v":1,"prompt":1,"step":"tool:1:a","started":true}\n';

const ended = (prompt: number): string =>
  `{"v":1,"prompt":${prompt},"step":"begin","result":{"role":"user","content":[],"timestamp":0}}\n` +
  `{"v":1,"prompt":${prompt},"step":"end","result":{"outcome":"done","at":0}}\n`;
const talk = ended(1);
const later = ended(2);

test("a missing journal and an empty one hold no lines", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  expect(repairJournal(path)).toMatchObject({ lines: [], unreadable: [] });
  writeFileSync(path, "");
  expect(repairJournal(path)).toMatchObject({ lines: [], unreadable: [] });
});

test("whole lines are read as they were written", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, whole);
  expect(repairJournal(path).lines).toEqual([
    { v: 1, prompt: 1, step: "begin", result: "ä" },
    { v: 1, prompt: 1, step: "tool:1:a", started: true },
  ]);
});

test.each([
  ["half a line", '{"v":1,"prom'],
  ["half a character", "\xc3"],
  ["a whole line without its newline", '{"v":1,"prompt":2,"step":"begin","result":1}'],
])("a torn last line (%s) is cut off and kept aside, the rest is used", (_name, torn) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, Buffer.concat([Buffer.from(whole), Buffer.from(torn, "latin1")]));
  const { lines, kept } = repairJournal(path);
  expect(lines).toHaveLength(2);
  expect(readFileSync(path, "utf8")).toBe(whole);
  expect(kept).toBe(`${path}.torn-${Buffer.byteLength(whole)}`);
  expect(readFileSync(kept ?? "", "latin1")).toBe(torn);
  const again = repairJournal(path);
  expect([again.lines, again.kept]).toStrictEqual([lines, undefined]);
});

test.each([
  ["garbage", "not json\n"],
  ["an empty line", "\n"],
  ["a line without a version", '{"prompt":1,"step":"begin","result":1}\n'],
  ["a line of something else", '{"role":"user"}\n'],
  ["a prompt that no session counts", '{"v":1,"prompt":-1,"step":"begin","result":1}\n'],
  ["half a prompt", '{"v":1,"prompt":1.5,"step":"begin","result":1}\n'],
  ["a block without contents, as a power cut leaves it", `${"\0".repeat(512)}\n`],
])("%s in the middle is reported, and left as it is", (_name, damaged) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `${talk}${damaged}${later}`;
  writeFileSync(path, text);
  const { lines, unreadable, kept } = repairJournal(path);
  expect([unreadable, kept, lines.length]).toStrictEqual([[3], undefined, 5]);
  expect(lines[2]).toMatchObject({ prompt: 1, step: "unreadable" });
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toEqual(["journal.jsonl"]);
});

test("what was appended after half a line, or after a block without contents, is found again in the same line", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, `{"v":1,"prompt":1,"step":"be${talk}${"\0".repeat(100)}${later}`);
  const { lines, unreadable } = repairJournal(path);
  expect(unreadable).toStrictEqual([1, 3]);
  const steps = ["0 unreadable", "1 begin", "1 end", "1 unreadable", "2 begin", "2 end"];
  expect(lines.map(({ prompt, step }) => `${prompt} ${step}`)).toEqual(steps);
});

test("a line of a newer version is a JournalError that names it, and nothing is touched", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `garbage\n{"v":3,"anything":1}\n{"v":1,"prom`;
  writeFileSync(path, text);
  expect(() => repairJournal(path)).toThrow(JournalError);
  expect(() => repairJournal(path)).toThrow(`${path}:2 was written by a newer version of mdx-ai`);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toEqual(["journal.jsonl"]);
});

test("a journal that cannot be read, and a torn line that cannot be kept aside, are JournalErrors that name the file", () => {
  using directory = temporaryDirectory();
  expect(() => repairJournal(directory.path)).toThrow(
    `cannot read ${directory.path}: there is a folder where a file should be (EISDIR)`,
  );
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, "torn");
  mkdirSync(`${path}.torn-0`);
  expect(() => repairJournal(path)).toThrow(JournalError);
  expect(readFileSync(path, "utf8")).toBe("torn");
});

test("a named pipe instead of a journal is a JournalError, without waiting for its other end", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  Bun.spawnSync(["mkfifo", path]);
  expect(() => repairJournal(path)).toThrow(`cannot read ${path}: it is not a regular file`);
});
