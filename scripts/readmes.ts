// `npm run readmes`: reads every Markdown file of the installed packages as prose of an agent.mdx: none has an error, and a model receives
// each as it is written, but for comments. Takes a minute or two.
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { parseAgentMdx } from "@mdx-ai/parser/parse";
import { Glob } from "bun";

const HEAD = "# Agent: Reader\n\n## Purpose\n\nReads.\n\n## Readme\n\n";
const MAX_CHARACTERS = 1024 * 1024 - HEAD.length;

/** The characters of a text but for comments and blanks. */
const written = (text: string): string => text.replace(/<!--(?:>|->|[\s\S]*?-->)/g, "").replace(/\s+/g, "");

const installed = new Glob("node_modules/**/*.{md,markdown}").scan({
  ...{ cwd: join(import.meta.dir, ".."), absolute: true, dot: true },
});
const seen = new Set<string>();
let failed = 0;
let characters = 0;
for await (const path of installed) {
  const file = realpathSync(path);
  if (seen.has(file)) continue;
  const text = await Bun.file(file).text();
  // Frontmatter belongs at the start of an agent.mdx.
  if (text.length > MAX_CHARACTERS || text.startsWith("---")) continue;
  seen.add(file);
  characters += text.length;
  const {
    definition: { identity },
    files: [prose],
    diagnostics,
  } = await parseAgentMdx(HEAD + text);
  const isWritten = written(identity.prose) === written(HEAD + text);
  const first = diagnostics.find(({ severity }) => severity === "error");
  if (first === undefined && isWritten && prose?.kind === "markdown") continue;
  failed++;
  console.log(`${file}: ${first === undefined ? `${prose?.kind}, not as written` : `${first.rule} ${first.message}`}`);
}
console.log(
  `${seen.size} files, ${(characters / 1e6).toFixed(1)} million characters, ${failed} not read as they are written`,
);
if (failed > 0) process.exitCode = 1;
