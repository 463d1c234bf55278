import { expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalError } from "@mdx-ai/sessions";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { readJournal } from "./read-journal.ts";

const talk =
  '{"v":1,"prompt":1,"step":"begin","result":{"role":"user","content":[],"timestamp":0}}\n' +
  '{"v":1,"prompt":1,"step":"end","result":{"outcome":"done","at":0}}\n';

test("a reader that changes nothing learns which lines cannot be read, and where the whole lines end", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  expect(readJournal(path)).toStrictEqual({ lines: [], unreadable: [], isTorn: false, end: 0 });
  const text = `garbage\n${talk}\0\n{"v":1,`;
  writeFileSync(path, text);
  const end = text.lastIndexOf("\n") + 1;
  expect(readJournal(path)).toMatchObject({ unreadable: [1, 4], isTorn: true, end });
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toStrictEqual(["journal.jsonl"]);
});

test("a line of a newer version is a JournalError that names it", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, 'garbage\n{"v":3,"anything":1}\n');
  expect(() => readJournal(path)).toThrow(JournalError);
  expect(() => readJournal(path)).toThrow(`${path}:2 was written by a newer version of mdx-ai`);
});
