// Reads every README of the installed packages as the prose of an agent, and prints those in which a mistake is found.
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { Glob } from "bun";

const packages = realpathSync(join(import.meta.dir, "../node_modules/.bun"));
const paths = ["*/node_modules/*/*.md", "*/node_modules/@*/*/*.md"].flatMap((pattern) =>
  Array.from(new Glob(pattern).scanSync({ cwd: packages, absolute: true })),
);
const texts = new Map(
  paths.filter((path) => /readme\.md$/i.test(path)).map((path) => [readFileSync(path, "utf8"), path]),
);
let broken = 0;
for (const [text, path] of texts) {
  const { diagnostics } = await parseAgentMdx(`# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n${text}`);
  const found = diagnostics.filter(({ severity, rule }) => severity === "error" || rule === "mdx-statement");
  if (found.length === 0) continue;
  broken++;
  console.log(path.slice(packages.length + 1), found.map(({ line, message }) => `${line}: ${message}`).join("; "));
}
console.log(`${texts.size} READMEs, ${broken} with a mistake`);
