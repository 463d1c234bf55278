import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { UsageError } from "../failures/program-error.ts";

/** A file of a new agent directory; its path is relative to the directory. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a new agent, which works as it is and shows where to add to it. */
export const templateFiles = (name: string): readonly TemplateFile[] => [
  { path: "agent.mdx", text: agentText(name) },
  { path: "skills/summary/SKILL.md", text: SKILL },
  { path: ".gitignore", text: "# Written by a running agent.\nsessions/\nstate/\nlogs/\n" },
];

const agentText = (name: string): string => `---
# The model, as vendor/name. Default: the first vendor whose key is set (see mdx-ai models), else a small offline model.
# model: anthropic/claude-sonnet-5-5
limits:
  turns: 50
---

# Agent: ${name}

## Purpose

Help with texts: count, compare and summarise them.

## Capabilities

- Count the words and characters of a text
- Read files, write files and run commands
- Write summaries, by the skill \`summary\`

## Constraints

- Never change a file without being asked to

## Personality

Brief and friendly.

<Tool name="count_words" description="Count the words and characters of a text">
  <Param name="text" description="The text" />
  <Param name="unique" type="boolean" required="false" description="Count each word once" />

\`\`\`ts
// Checked at every start. Imports and all of Bun are available. The model receives the result.
async function execute(params: { text: string; unique?: boolean }, ctx: { agentDir: string; cwd: string }) {
  const words = params.text.toLowerCase().match(/[\\p{L}\\p{N}']+/gu) ?? [];
  const count = params.unique ? new Set(words).size : words.length;
  return \`\${count} words, \${params.text.length} characters\`;
}
\`\`\`

{/* A call and its result; mdx-ai test runs it. With few-shot (<Example few-shot …>) the model sees it, too. */}
<Example name="counts each word once">
\`\`\`json
{"arguments": {"text": "to be or not to be", "unique": true}, "result": "4 words, 18 characters"}
\`\`\`
</Example>

</Tool>
`;

const SKILL = `---
name: summary
description: How to summarise a text or a file well. Use it when asked for a summary.
---

1. Read all of it first; a file with \`read_file\`.
2. Say in one sentence what it is about.
3. Give the three to five points that matter, the most important first.
4. Name what is missing or unclear, if anything is.

Put further material of this skill next to this file, in {baseDir}.
`;

/** What a directory contained before it became an agent. */
export type Precursor =
  /** Nothing, or only `.git`. */
  | "nothing"
  /** Files that do not belong to an agent. */
  | "other files"
  | "parts of an agent";

/** Inspects a directory that is to become an agent; it may not exist yet. */
export function precursor(directory: string): Precursor {
  const present = existsSync(directory) ? readdirSync(directory).filter((name) => name !== ".git") : [];
  if (PARTS.some((name) => present.includes(name))) return "parts of an agent";
  return present.length === 0 ? "nothing" : "other files";
}

const PARTS: readonly string[] = ["skills", "modules", "tools", "heartbeat.md"];

/** Writes the files. If one of them exists, throws `UsageError` before writing any. */
export function writeTemplate(directory: string, files: readonly TemplateFile[]): void {
  const present = files.map(({ path }) => join(directory, path)).find((path) => existsSync(path));
  if (present !== undefined) throw new UsageError(`${present} already exists; nothing was changed`);
  for (const { path, text } of files) {
    const target = join(directory, path);
    mkdirSync(dirname(target), { recursive: true });
    // "wx": a file that appeared meanwhile is not overwritten either.
    writeFileSync(target, text, { flag: "wx" });
  }
}
