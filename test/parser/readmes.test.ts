import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAgentMdx } from "../support/parse-agent-mdx.ts";

/** READMEs as people write them, each with what is code to MDX and none to a reader. */
const FOLDER = join(import.meta.dir, "fixtures/readmes");
const READMES = readdirSync(FOLDER).sort();
const HEAD = "# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n";

test("there are ten READMEs", () => {
  expect(READMES).toHaveLength(10);
});

test.each(READMES)("%s is no mistake below a heading, and the model receives it as it is written", async (name) => {
  const readme = readFileSync(join(FOLDER, name), "utf8");
  const { diagnostics, identity, kind } = await parseAgentMdx(HEAD + readme);
  expect(diagnostics).toStrictEqual([]);
  expect(kind).toBe("markdown");
  expect(written(identity.prose)).toBe(written(HEAD + readme));
});

/** The characters of a text but for comments and blanks. */
const written = (text: string): string => text.replace(/[ \t]*<!--[\s\S]*?-->/g, "").replace(/\s+/g, "");
