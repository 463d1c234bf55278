import { afterAll, describe, expect, test } from "bun:test";
import { rules } from "@mdx-ai/parser";
import { readCorpus } from "../support/corpus.ts";
import { corpusReader, expectDiagnostics } from "../support/corpus-reading.ts";

const corpus = readCorpus();

/** Reads for seconds: a long test. */
const SLOW = "text-too-complex/endless-expression";

const reader = corpusReader();
afterAll(() => reader[Symbol.dispose]());

describe("a broken agent directory has exactly its diagnostics, in order", () => {
  for (const broken of corpus.filter(({ name }) => name !== SLOW)) {
    test(`${broken.name}: ${broken.comment}`, () => expectDiagnostics(broken, reader));
  }
});

describe("the corpus", () => {
  test("has at least 80 cases, and a mistake in each", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(80);
    expect(corpus.filter(({ expected }) => expected.length === 0)).toStrictEqual([]);
  });

  test("shows every rule and no other", () => {
    const shownRules = corpus.flatMap(({ expected }) => expected.map((line) => line.split(" ").at(-1) ?? ""));
    expect([...new Set(shownRules)].sort()).toStrictEqual(Object.keys(rules).sort());
  });

  test("has each case in the folder of a rule that it shows", () => {
    const misplaced = corpus.filter(({ name, expected }) => {
      const [folder = ""] = name.split("/");
      return folder !== "several" && !expected.some((line) => line.endsWith(` ${folder}`));
    });
    expect(misplaced.map(({ name }) => name)).toStrictEqual([]);
  });

  test("has a folder for every rule", () => {
    const folders = new Set(corpus.map(({ name }) => name.split("/")[0] ?? ""));
    expect([...folders].filter((folder) => folder !== "several").sort()).toStrictEqual(Object.keys(rules).sort());
  });
});
