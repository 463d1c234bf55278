import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { JournalError } from "../../../packages/runtime/src/journal/journal-error.ts";
import { lookAtJournal, readJournal } from "../../../packages/runtime/src/journal/read-journal.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const whole = '{"v":1,"prompt":1,"step":"user","result":"ä"}\n{"v":1,"prompt":1,"step":"tool:1:a","started":true}\n';

const ended = (prompt: number): string =>
  `{"v":1,"prompt":${prompt},"step":"user","result":{"role":"user","content":[],"timestamp":0}}\n` +
  `{"v":1,"prompt":${prompt},"step":"end","result":{"outcome":"done","at":0}}\n`;
const talk = ended(1);
const later = ended(2);

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
  ["an empty line", "\n"],
  ["a line without a version", '{"prompt":1,"step":"user","result":1}\n'],
  ["a line of something else", '{"role":"user"}\n'],
  ["a prompt that no session counts", '{"v":1,"prompt":-1,"step":"user","result":1}\n'],
  ["half a prompt", '{"v":1,"prompt":1.5,"step":"user","result":1}\n'],
  ["a block without contents, as a power cut leaves it", `${"\0".repeat(512)}\n`],
])("%s in the middle is left out, the journal is mended, and the damaged one is kept whole", (_name, damaged) => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `${talk}${damaged}${later}`;
  writeFileSync(path, text);
  const { lines, damage, tornLine } = readJournal(path, () => 0);
  const aside = `${path}.damaged-1970-01-01T00-00-00.000Z`;
  expect({ damage, tornLine }).toEqual({ damage: { unreadable: [3], added: 0, aside }, tornLine: undefined });
  expect(lines).toHaveLength(4);
  expect(readFileSync(aside, "utf8")).toBe(text);
  expect(readFileSync(path, "utf8")).toBe(talk + later);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readJournal(path)).toEqual({ lines });
  expect(readdirSync(directory.path).sort()).toEqual(["journal.jsonl", basename(aside)]);
});

test("what was appended after half a line, or after a block without contents, is found again in the same line", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, `{"v":1,"prompt":1,"step":"us${talk}${"\0".repeat(100)}${later}`);
  const { lines, damage } = readJournal(path);
  expect(damage).toMatchObject({ unreadable: [1, 3] });
  expect(lines.map(({ prompt, step }) => `${prompt} ${step}`)).toEqual(["1 user", "1 end", "2 user", "2 end"]);
});

test("a journal without a line that can be read is kept, and goes on empty", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, place) => (place * 7919) % 256));
  writeFileSync(path, bytes);
  const { lines, damage } = readJournal(path);
  expect(lines).toEqual([]);
  expect(readFileSync(damage?.aside ?? "")).toEqual(bytes);
  expect(readFileSync(path, "utf8")).toBe("");
});

test("nothing that was kept before is replaced", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const asides = [1, 2].map((time) => {
    writeFileSync(path, `garbage ${time}\n`);
    return readJournal(path, () => 0).damage?.aside;
  });
  expect(asides).toEqual([`${path}.damaged-1970-01-01T00-00-00.000Z`, `${path}.damaged-1970-01-01T00-00-00.000Z_2`]);
  expect(asides.map((aside) => readFileSync(aside ?? "", "utf8"))).toEqual(["garbage 1\n", "garbage 2\n"]);
});

test("a torn last line of a damaged journal is kept with the rest of it", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  writeFileSync(path, `${talk}garbage\n{"v":1,`);
  const { damage } = readJournal(path);
  expect(readFileSync(damage?.aside ?? "", "utf8")).toBe(`${talk}garbage\n{"v":1,`);
  expect(readFileSync(path, "utf8")).toBe(talk);
});

test("a line of a newer version is a JournalError that names it, and nothing is touched", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  const text = `garbage\n{"v":2,"anything":1}\n{"v":1,"prom`;
  writeFileSync(path, text);
  for (const read of [readJournal, lookAtJournal]) {
    expect(() => read(path)).toThrow(JournalError);
    expect(() => read(path)).toThrow(`${path}:2 was written by a newer mdx-ai`);
  }
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toEqual(["journal.jsonl"]);
});

test("who only looks is told of what cannot be read, and changes nothing", () => {
  using directory = temporaryDirectory();
  const path = join(directory.path, "journal.jsonl");
  expect(lookAtJournal(path)).toEqual({ lines: [], unreadable: [], gaps: [], isTorn: false });
  const text = `garbage\n${talk}\0\n{"v":1,`;
  writeFileSync(path, text);
  expect(lookAtJournal(path)).toMatchObject({ unreadable: [1, 4], gaps: [0, 2], isTorn: true });
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readdirSync(directory.path)).toEqual(["journal.jsonl"]);
});

test("a journal that cannot be read, and a torn line that cannot be kept aside, are JournalErrors that name the file", () => {
  using directory = temporaryDirectory();
  expect(() => readJournal(directory.path)).toThrow(
    `cannot read ${directory.path}: there is a folder where a file should be (EISDIR)`,
  );
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
