import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readOpened } from "@mdx-ai/base/disk";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { type FileRange, offsetOfRecent, readLines } from "./read-lines.ts";

function linesOf(text: string, range?: FileRange): { readonly lines: readonly string[]; readonly end: number } {
  using directory = temporaryDirectory();
  const path = join(directory.path, "a.jsonl");
  writeFileSync(path, text);
  const lines: string[] = [];
  const end = readOpened(path, (descriptor) => readLines(descriptor, (line) => lines.push(line), range));
  return { lines, end };
}

const LONG = "é".repeat(1_100_000);

test.each([
  ["no line of an empty file", "", [], 0],
  ["whole lines", "one\ntwo\n", ["one", "two"], 8],
  ["an empty line", "\n\n", ["", ""], 2],
  ["not an unfinished line", "one\ntw", ["one"], 4],
  ["a line longer than what is read at once", `a\n${LONG}\nb\n`, ["a", LONG, "b"], 2_200_005],
])("reads %s", (_what, text, lines, end) => {
  expect(linesOf(text)).toStrictEqual({ lines, end });
});

test("reads a range of a file, up to its last whole line", () => {
  const text = "one\ntwo\nthree\nfour\n";
  expect(linesOf(text, { from: 4, to: text.length })).toStrictEqual({ lines: ["two", "three", "four"], end: 19 });
  expect(linesOf(text, { from: 4, to: 12 })).toStrictEqual({ lines: ["two"], end: 8 });
  expect(linesOf(text, { from: 19, to: 19 })).toStrictEqual({ lines: [], end: 19 });
});

test("finds the recent lines at the end of a long file without reading the rest", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "a.jsonl");
  const old = `${"o".repeat(99)}\n`.repeat(100_000);
  writeFileSync(path, `${old}new\nnew\n`);
  const seen: string[] = [];
  const offset = readOpened(path, (descriptor, { size }) =>
    offsetOfRecent(descriptor, size, (line) => {
      seen.push(line);
      return line.startsWith("o");
    }),
  );
  expect(seen).toHaveLength(1);
  expect(offset).toBeLessThanOrEqual(old.length);
  expect(offset).toBeGreaterThan(old.length - 200_000);
  expect(offset % 100).toBe(0);
});

test("the recent lines of a file without older ones begin at its beginning", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "a.jsonl");
  writeFileSync(path, "new\n".repeat(50_000));
  const offset = readOpened(path, (descriptor, { size }) => offsetOfRecent(descriptor, size, () => false));
  expect(offset).toBe(0);
});
