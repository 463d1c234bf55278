import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { JournalError } from "@mdx-ai/runtime";
import { readFixedJournal } from "../../../packages/runtime/src/damage/fix-journal.ts";

import { temporaryDirectory } from "../../support/temporary-directory.ts";

const whole = '{"v":1,"prompt":1,"step":"begin","result":"ä"}\n{"v":1,"prompt":1,"step":"tool:1:a","started":true}\n';

const ended = (prompt: number): string =>
  `{"v":1,"prompt":${prompt},"step":"begin","result":{"role":"user","content":[],"timestamp":0}}\n` +
  `{"v":1,"prompt":${prompt},"step":"end","result":{"outcome":"done","at":0}}\n`;
const talk = ended(1);
const later = ended(2);

test("a missing journal and an empty one hold no lines", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  expect(readFixedJournal(path)).toEqual({ lines: [] });
  writeFileSync(path, "");
  expect(readFixedJournal(path)).toEqual({ lines: [] });
});

test("whole lines are read as they were written", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, whole);
  expect(readFixedJournal(path).lines).toEqual([
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
  const { lines, fix } = readFixedJournal(path);
  expect(lines).toHaveLength(2);
  expect(readFileSync(path, "utf8")).toBe(whole);
  const kept = `${path}.torn-${Buffer.byteLength(whole)}`;
  expect(fix).toStrictEqual({ damage: ["the last line of journal.jsonl is unfinished"], kept: [kept] });
  expect(readFileSync(kept, "latin1")).toBe(torn);
  expect(readFixedJournal(path)).toEqual({ lines });
});

test.each([
  ["garbage", "not json\n"],
  ["an empty line", "\n"],
  ["a line without a version", '{"prompt":1,"step":"begin","result":1}\n'],
  ["a line of something else", '{"role":"user"}\n'],
  ["a prompt that no session counts", '{"v":1,"prompt":-1,"step":"begin","result":1}\n'],
  ["half a prompt", '{"v":1,"prompt":1.5,"step":"begin","result":1}\n'],
  ["a block without contents, as a power cut leaves it", `${"\0".repeat(512)}\n`],
])("%s in the middle is left out, the journal is fixed, and the damaged one is kept whole", (_name, damaged) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `${talk}${damaged}${later}`;
  writeFileSync(path, text);
  const { lines, fix } = readFixedJournal(path, 0);
  const aside = `${path}.damaged-1970-01-01T00-00-00.000Z`;
  expect(fix).toStrictEqual({ damage: ["line 3 of journal.jsonl cannot be read"], kept: [aside] });
  expect(lines).toHaveLength(4);
  expect(readFileSync(aside, "utf8")).toBe(text);
  expect(readFileSync(path, "utf8")).toBe(talk + later);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFixedJournal(path)).toEqual({ lines });
  expect(readdirSync(directory.path).sort()).toEqual(["journal.jsonl", basename(aside)]);
});

test("what was appended after half a line, or after a block without contents, is found again in the same line", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, `{"v":1,"prompt":1,"step":"be${talk}${"\0".repeat(100)}${later}`);
  const { lines, fix } = readFixedJournal(path);
  expect(fix?.damage).toStrictEqual(["lines 1 and 3 of journal.jsonl cannot be read"]);
  expect(lines.map(({ prompt, step }) => `${prompt} ${step}`)).toEqual(["1 begin", "1 end", "2 begin", "2 end"]);
});

test("a journal without a line that can be read is kept, and continues empty", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, place) => (place * 7919) % 256));
  writeFileSync(path, bytes);
  const { lines, fix } = readFixedJournal(path);
  expect(lines).toEqual([]);
  expect(readFileSync(fix?.kept[0] ?? "")).toEqual(bytes);
  expect(readFileSync(path, "utf8")).toBe("");
});

test("nothing that was kept before is replaced", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const asides = [1, 2].map((time) => {
    writeFileSync(path, `garbage ${time}\n`);
    return readFixedJournal(path, 0).fix?.kept[0];
  });
  expect(asides).toEqual([`${path}.damaged-1970-01-01T00-00-00.000Z`, `${path}.damaged-1970-01-01T00-00-00.000Z_2`]);
  expect(asides.map((aside) => readFileSync(aside ?? "", "utf8"))).toEqual(["garbage 1\n", "garbage 2\n"]);
});

test("a torn last line of a damaged journal is kept with the rest of it", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, `${talk}garbage\n{"v":1,`);
  const { fix } = readFixedJournal(path);
  expect(readFileSync(fix?.kept[0] ?? "", "utf8")).toBe(`${talk}garbage\n{"v":1,`);
  expect(readFileSync(path, "utf8")).toBe(talk);
});

test("a line of a newer version is a JournalError that names it, and nothing is touched", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `garbage\n{"v":3,"anything":1}\n{"v":1,"prom`;
  writeFileSync(path, text);
  expect(() => readFixedJournal(path)).toThrow(JournalError);
  expect(() => readFixedJournal(path)).toThrow(`${path}:2 was written by a newer version of mdx-ai`);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toEqual(["journal.jsonl"]);
});

test("the history view beside a damaged journal is kept, too, and one beside a torn journal stays", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const history = join(directory.path, "history.json");
  writeFileSync(history, "[]");
  writeFileSync(path, `${talk}torn`);
  expect(readFixedJournal(path).fix?.kept).toHaveLength(1);
  expect(readFileSync(history, "utf8")).toBe("[]");
  writeFileSync(path, `garbage\n${talk}`);
  const suffix = ".damaged-1970-01-01T00-00-00.000Z";
  expect(readFixedJournal(path, 0).fix?.kept).toStrictEqual([path + suffix, history + suffix]);
  expect(readFileSync(history + suffix, "utf8")).toBe("[]");
});

test("a long journal that lost lines is fixed in a moment", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const prompts = Array.from({ length: 20_000 }, (_, index) => ended(index + 1));
  writeFileSync(path, prompts.toSpliced(1, 1, "garbage\n").join(""));
  expect(readFixedJournal(path).lines).toHaveLength(39_998);
});

test("a journal that cannot be read, and a torn line that cannot be kept aside, are JournalErrors that name the file", () => {
  using directory = temporaryDirectory();
  expect(() => readFixedJournal(directory.path)).toThrow(
    `cannot read ${directory.path}: there is a folder where a file should be (EISDIR)`,
  );
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, "torn");
  mkdirSync(`${path}.torn-0`);
  expect(() => readFixedJournal(path)).toThrow(JournalError);
  expect(readFileSync(path, "utf8")).toBe("torn");
});

test("a named pipe in place of a journal is a JournalError, and nobody waits for its other end", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  Bun.spawnSync(["mkfifo", path]);
  expect(() => readFixedJournal(path)).toThrow(`cannot read ${path}: it is no regular file`);
});
