import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalError } from "../../../packages/runtime/src/journal/journal-error.ts";
import { readJournal } from "../../../packages/runtime/src/journal/read-journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const whole = '{"v":1,"prompt":1,"step":"user","result":"ä"}\n{"v":1,"prompt":1,"step":"tool:1:a","started":true}\n';

test("a missing journal and an empty one hold no lines", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  expect(readJournal(path)).toEqual({ lines: [] });
  writeFileSync(path, "");
  expect(readJournal(path)).toEqual({ lines: [] });
});

test("whole lines are read as they were written", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, whole);
  expect(readJournal(path).lines).toEqual([
    { v: 1, prompt: 1, step: "user", result: "ä" },
    { v: 1, prompt: 1, step: "tool:1:a", started: true },
  ]);
});

test.each([
  ["half a line", '{"v":1,"prom'],
  ["half a character", "\xc3"],
  ["a whole line without its newline", '{"v":1,"prompt":2,"step":"user","result":1}'],
])("a torn last line (%s) is cut off and kept aside, the rest is used", (_name, torn) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, Buffer.concat([Buffer.from(whole), Buffer.from(torn, "latin1")]));
  const { lines, tornLine } = readJournal(path);
  expect(lines).toHaveLength(2);
  expect(readFileSync(path, "utf8")).toBe(whole);
  expect(readFileSync(tornLine ?? "", "latin1")).toBe(torn);
  expect(readJournal(path)).toEqual({ lines });
});

test.each([
  ["garbage", "not json\n"],
  ["an unknown version", '{"v":99,"prompt":1,"step":"user","result":1}\n'],
  ["a line of something else", '{"role":"user"}\n'],
  ["a prompt that no session counts", '{"v":1,"prompt":-1,"step":"user","result":1}\n'],
  ["half a prompt", '{"v":1,"prompt":1.5,"step":"user","result":1}\n'],
])("%s in the middle is a JournalError that names the line, and the file stays as it is", (_name, damage) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = whole + damage + whole;
  writeFileSync(path, text);
  expect(() => readJournal(path)).toThrow(JournalError);
  expect(() => readJournal(path)).toThrow(`${path}:3`);
  expect(readFileSync(path, "utf8")).toBe(text);
});

test("a journal that cannot be read, and a torn line that cannot be kept aside, are JournalErrors that name the file", () => {
  using directory = temporaryDirectory();
  expect(() => readJournal(directory.path)).toThrow(`cannot read ${directory.path}: EISDIR`);
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, "torn");
  mkdirSync(`${path}.torn-0`);
  expect(() => readJournal(path)).toThrow(JournalError);
  expect(readFileSync(path, "utf8")).toBe("torn");
});

test("a named pipe in place of a journal is a JournalError, and nobody waits for its other end", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  Bun.spawnSync(["mkfifo", path]);
  expect(() => readJournal(path)).toThrow(`cannot read ${path}: it is no regular file`);
});
