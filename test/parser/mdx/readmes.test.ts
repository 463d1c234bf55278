import { describe, expect, test } from "bun:test";
import { Glob } from "bun";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import fc from "fast-check";
import { applyFixes } from "../../../packages/directory/src/checking/fixing/apply-fixes.ts";
import { readerText, receivedProse } from "../../support/reader-text.ts";
import { readmeText } from "../../support/readme-text.ts";

/** How many documents are made; `README_RUNS=2000` for a long run. */
const runs = Number(Bun.env["README_RUNS"] ?? 150);
const bound = 60_000 + runs * 500;

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
      await fc.assert(fc.asyncProperty(readmeText, expectFixed), { numRuns: runs });
    },
    bound,
  );
});
