import { afterAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AgentDirectory, type Diagnostic, readAgentDirectory } from "@mdx-ai/parser";
import { readCorpus } from "../support/corpus.ts";
import type { CorpusCase } from "../support/corpus-case.ts";
import { corpusReader, expectDiagnostics, shown } from "../support/corpus-reading.ts";
import { withFixes } from "../support/diagnostic-places.ts";

const reader = corpusReader();
afterAll(() => reader[Symbol.dispose]());

/** A case before and after its fixes were written in, round by round: a mistake in a tag hides others. */
async function fixed(broken: CorpusCase): Promise<readonly [before: AgentDirectory, after: AgentDirectory]> {
  const { directory: before } = await reader.read(broken);
  let after = before;
  const path = reader.write(broken);
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

test("an expression that one program wrote has its diagnostics", async () => {
  const slow = readCorpus().find(({ name }) => name === "text-too-complex/endless-expression");
  if (slow === undefined) throw new Error("the case is gone");
  await expectDiagnostics(slow, reader);
});

test("the corpus has fixes that leave nothing that has a fix, and less mistakes", async () => {
  const wrong: string[] = [];
  let fixedCases = 0;
  for (const broken of readCorpus()) {
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
