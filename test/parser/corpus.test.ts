import { afterAll, describe, expect, test } from "bun:test";
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentDirectory, type Diagnostic, readAgentDirectory, rules } from "@mdx-ai/parser";
import { readCorpus } from "../support/corpus.ts";
import { type CorpusCase, writeCorpusCase } from "../support/corpus-case.ts";
import { withFixes } from "../support/diagnostic-places.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

const corpus = readCorpus();
const directories = temporaryDirectory();
afterAll(() => directories[Symbol.dispose]());
let count = 0;

/** Writes a case to a new folder and gives its path. */
function written(broken: CorpusCase): string {
  const path = join(directories.path, String(count++), "agent");
  writeCorpusCase(broken, path);
  return path;
}

interface ReadCase {
  /** The agent directory. Absolute. */
  readonly path: string;
  readonly directory: AgentDirectory;
}

const readCases = new Map<CorpusCase, Promise<ReadCase>>();

/** A case as it is read, once for all tests: some take seconds. Nothing may be written to its directory. */
function readCase(broken: CorpusCase): Promise<ReadCase> {
  const known = readCases.get(broken);
  if (known !== undefined) return known;
  const path = written(broken);
  const reading = readAgentDirectory(path).then((directory) => ({ path, directory }));
  readCases.set(broken, reading);
  return reading;
}

const shown = ({ file, line, column, severity, rule }: Diagnostic): string =>
  `${file}:${line}:${column} ${severity} ${rule}`;

describe("a broken agent directory has exactly its diagnostics, in order", () => {
  for (const broken of corpus) {
    test(`${broken.name}: ${broken.comment}`, async () => {
      const { path, directory } = await readCase(broken);
      const { diagnostics } = directory;
      expect(diagnostics.map(shown)).toStrictEqual([...broken.expected]);
      for (const diagnostic of diagnostics) {
        expect(diagnostic.message).toMatch(/^.+$/);
        expect(diagnostic.hint).toMatch(/^.+$/);
        expect(placeIn(path, diagnostic)).toBe("exists");
      }
    });
  }
});

/** Whether the file has the line and the line the column; what is no file has the first of both. */
function placeIn(directory: string, { file, line, column }: Diagnostic): "exists" | string {
  const path = join(directory, file);
  const isFile = lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  const text = isFile ? readFileSync(path, "utf8").replace(/^\uFEFF/, "") : "";
  const length = text.split(/\r\n?|\n/)[line - 1]?.length;
  return length !== undefined && column >= 1 && column <= length + 1 ? "exists" : `${line}:${column} is not in ${file}`;
}

/** A case before and after its fixes were written in, round by round: a mistake in a tag hides others. */
async function fixed(broken: CorpusCase): Promise<readonly [before: AgentDirectory, after: AgentDirectory]> {
  const { directory: before } = await readCase(broken);
  let after = before;
  const path = written(broken);
  for (let round = 0; round < MAX_ROUNDS && after.diagnostics.some(isFixable); round++) {
    for (const [file, found] of Map.groupBy(after.diagnostics.filter(isFixable), ({ file }) => file)) {
      writeFileSync(join(path, file), withFixes(readFileSync(join(path, file), "utf8"), found));
    }
    after = await readAgentDirectory(path);
  }
  return [before, after];
}

const MAX_ROUNDS = 4;

/** Whether mistakes in tags kept a reader from seeing more. */
const hidesOthers = ({ diagnostics }: AgentDirectory): boolean =>
  diagnostics.some(({ rule }) => rule.startsWith("element-") || rule === "mdx-syntax");

const errorsOf = ({ diagnostics }: AgentDirectory): number =>
  diagnostics.filter(({ severity }) => severity === "error").length;

const isFixable = ({ fix }: Diagnostic): boolean => fix !== undefined;

describe("the corpus", () => {
  test("has at least 80 cases, and a mistake in each", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(80);
    expect(corpus.filter(({ expected }) => expected.length === 0)).toStrictEqual([]);
  });

  test("shows every rule and no other", () => {
    const shownRules = corpus.flatMap(({ expected }) => expected.map((line) => line.split(" ").at(-1) ?? ""));
    expect([...new Set(shownRules)].sort()).toStrictEqual(Object.keys(rules).sort());
  });

  test("has fixes that leave nothing that has a fix, and less mistakes", async () => {
    const wrong: string[] = [];
    let fixedCases = 0;
    for (const broken of corpus) {
      const [before, after] = await fixed(broken);
      const left = after.diagnostics.filter(isFixable).map(shown);
      const isFixed = before.diagnostics.some(isFixable);
      const isBetter = after.diagnostics.length < before.diagnostics.length || !isFixed || hidesOthers(before);
      if (left.length > 0 || (errorsOf(after) > errorsOf(before) && !hidesOthers(before)) || !isBetter)
        wrong.push(`${broken.name} ${left.join()}`);
      if (isFixed) fixedCases++;
    }
    expect(wrong).toStrictEqual([]);
    expect(fixedCases).toBeGreaterThanOrEqual(60);
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
