import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseAgentMdx } from "../../support/parse-agent-mdx.ts";
import { randomCases } from "../../support/random-cases.ts";
import { readmeText } from "../../support/readme-text.ts";

const CASES = randomCases(200);

/** Of `readme-text.ts`: all its comments are whole. */
const COMMENT = /[ \t]*<!--[\s\S]*?-->/g;

test("made READMEs are no mistake below a heading, and the model receives all but their comments", async () => {
  await fc.assert(
    fc.asyncProperty(readmeText, async (readme) => {
      const { diagnostics, identity, kind } = await parseAgentMdx(
        `# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n${readme}`,
      );
      expect(
        diagnostics.filter(({ severity, rule }) => severity === "error" && rule !== "comment-unclosed"),
      ).toStrictEqual([]);
      expect(kind).toBe("markdown");
      expect(written(identity.prose)).toBe(
        written(`# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n${readme}`),
      );
    }),
    CASES,
  );
});

/** The characters of a text but for comments and blanks. */
const written = (text: string): string => text.replace(COMMENT, "").replace(/\s+/g, "");
