import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { findProgram } from "@mdx-ai/runtime/files";
import fc from "fast-check";
import { attempt } from "../../../../packages/runtime/src/attempt.ts";
import { grepTool } from "../../../../packages/runtime/src/tools/search/search-tools.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { randomPattern, randomTree } from "../../../support/random-search.ts";
import { requireProgram } from "../../../support/require-program.ts";
import { temporaryDirectory } from "../../../support/temporary-directory.ts";
import { toolContext } from "../../../support/tool-context.ts";
import { untilOld } from "../../../support/until-old.ts";

const CASES = randomCases(30);

const PATTERNS_OF_A_TREE = 4;

const randomSearch = fc.record({
  pattern: randomPattern,
  ignore_case: fc.boolean(),
  mode: fc.constantFrom("lines", "files", "count"),
  context: fc.constantFrom(0, 1),
});

/** Files that cannot be there beside others are left out. */
function writeTree(root: string, files: ReadonlyMap<string, Uint8Array>): void {
  for (const [path, bytes] of files) {
    attempt(() => mkdirSync(dirname(join(root, path)), { recursive: true }));
    attempt(() => writeFileSync(join(root, path), bytes));
  }
}

describe.skipIf(requireProgram("rg"))("random searches", () => {
  test(
    `ripgrep and the own engine of grep give the same answers`,
    async () => {
      const rg = findProgram("rg", { environment: process.env, outside: [] }) ?? "";
      const [withRipgrep, without] = [dirname(rg), "/nowhere"].map((PATH) => grepTool({ environment: { PATH } }));
      const searches = fc.array(randomSearch, { minLength: 1, maxLength: PATTERNS_OF_A_TREE });
      const property = fc.asyncProperty(randomTree, searches, async (files, each) => {
        using folder = temporaryDirectory();
        writeTree(folder.path, files);
        await untilOld();
        for (const args of each) {
          const answer = async (tool = without) => {
            try {
              return await tool?.execute(args, toolContext(folder.path));
            } catch (error) {
              return String(error);
            }
          };
          expect([args, await answer()]).toStrictEqual([args, await answer(withRipgrep)]);
        }
      });
      await fc.assert(property, CASES);
    },
    30_000 + CASES.numRuns * 500,
  );
});
