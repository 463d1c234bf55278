import { describe, expect, test } from "bun:test";
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { Glob } from "bun";
import fc from "fast-check";
import { applyFixes } from "../../../packages/directory/src/fixing/apply-fixes.ts";
import { randomCases } from "../../support/random-cases.ts";
import { readerText, receivedProse } from "../../support/reader-text.ts";
import { readmeText } from "../../support/readme-text.ts";

const CASES = randomCases(60);
const bound = 60_000 + CASES.numRuns * 500;

const agentOf = (readme: string): string => `# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n${readme}`;
const fixed = (text: string) => applyFixes(text, async (now) => (await parseAgentMdx(now)).diagnostics);

async function expectFixed(readme: string): Promise<void> {
  const once = await fixed(agentOf(readme));
  const { diagnostics, identity } = await parseAgentMdx(once.text);
  expect(diagnostics.filter(({ severity }) => severity === "error")).toStrictEqual([]);
  expect((await fixed(once.text)).text).toBe(once.text);
  expect(readerText(receivedProse(identity))).toBe(readerText(`## Readme\n\n${readme}`));
}

describe("what people write without a thought of MDX has no error after its fixes, and the model receives what a reader sees:", () => {
  test(
    "made documents",
    async () => {
      await fc.assert(fc.asyncProperty(readmeText, expectFixed), CASES);
    },
    bound,
  );

  test(
    "the READMEs of the installed packages",
    async () => {
      const readmes = installedReadmes();
      expect(readmes.length).toBeGreaterThan(50);
      for (const readme of readmes) await expectFixed(readme);
    },
    bound,
  );
});

/** Those that are not too long for a short run; a heading with HTML in it is a title with tags, not what a reader sees. */
function installedReadmes(): readonly string[] {
  const packages = realpathSync(join(import.meta.dir, "../../../node_modules/.bun"));
  const paths = ["*/node_modules/*/*.md", "*/node_modules/@*/*/*.md"].flatMap((pattern) =>
    Array.from(new Glob(pattern).scanSync({ cwd: packages, absolute: true })),
  );
  const texts = paths.filter((path) => /readme\.md$/i.test(path)).map((path) => readFileSync(path, "utf8"));
  const longest = CASES.numRuns * 40;
  return [...new Set(texts)].filter((text) => text.length <= longest && !/^#.*<[a-z]/m.test(text));
}
