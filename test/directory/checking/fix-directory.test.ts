import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixDirectory } from "@mdx-ai/directory/checking";
import { readAgentDirectory } from "@mdx-ai/parser";
import { writeFiles } from "../../support/agent-files.ts";
import { agentText } from "../../support/agent-text.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

test("a fix and the removal of escapes are one change of a file, at any length and with any line ends", async () => {
  using home = temporaryDirectory();
  const text = (end: string): string =>
    `\uFEFF${agentText("")}\n${"A *plain* line.\n\n".repeat(1_000)}${end}\n`.replaceAll("\n", "\r\n");
  writeFiles(home.path, { "agent.mdx": text("Take \\<5 \\{x} of it.</Tool>"), "skills/.keep": "" });
  const directory = await readAgentDirectory(home.path);
  const fixes = await Array.fromAsync(fixDirectory(directory, { escapes: true }));
  expect(fixes.map(({ file, fixed, escapes }) => [file, fixed.length, escapes])).toStrictEqual([["agent.mdx", 1, 2]]);
  expect(readFileSync(join(home.path, "agent.mdx"), "utf8")).toBe(text("Take <5 {x} of it."));
});
