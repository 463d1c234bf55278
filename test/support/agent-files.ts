import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** The shortest agent.mdx. */
export const MINIMAL_AGENT = "# Agent: Minimal\n\n## Purpose\n\nBe tested.\n";

/** An agent with one inline tool, which greets. */
export const GREETING_AGENT = `# Agent: Greeter

## Purpose

Greet people.

<Tool name="greet" description="Greet somebody">
  <Param name="name" description="Who" />
  <Param name="times" type="number" required="false" />
  <Param name="loud" type="boolean" required="false" />

\`\`\`ts
async function execute(params: { name: string; times?: number; loud?: boolean }) {
  if (params.name === "nobody") throw new Error("there is nobody");
  const text = Array(params.times ?? 1).fill(\`Hello \${params.name}\`).join(", ");
  return params.loud ? text.toUpperCase() : text;
}
\`\`\`

</Tool>
`;

/**
 * Writes files, by their paths relative to a directory; folders are made, beside an agent.mdx also one for skills.
 * Gives the directory.
 */
export function writeFiles(directory: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    writeText(join(directory, path), text);
    if (basename(path) === "agent.mdx") mkdirSync(join(directory, dirname(path), "skills"), { recursive: true });
  }
  return directory;
}

/** Writes a file and makes its folders. */
export function writeText(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
