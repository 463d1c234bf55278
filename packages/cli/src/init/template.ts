/** A file of a new agent directory; its path is relative to the directory. */
export interface TemplateFile {
  readonly path: string;
  readonly text: string;
}

/** The files of a new agent: they work as they are, and show where one's own things go. */
export const templateFiles = (name: string): readonly TemplateFile[] => [
  { path: "agent.mdx", text: agentText(name) },
  { path: "skills/summary/SKILL.md", text: SKILL },
  { path: ".gitignore", text: "# What a running agent writes.\nsessions/\nstate/\nlogs/\n" },
];

const agentText = (name: string): string => `---
# The model, as vendor/name. Without it: the first vendor whose key is set (mdx-ai models), else a small offline model.
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

- Never change a file without having been asked to

## Personality

Brief and friendly.

<Tool name="count_words" description="Count the words and characters of a text">
  <Param name="text" description="The text" />
  <Param name="unique" type="boolean" required="false" description="Count each word once" />

\`\`\`ts
// Checked with every start; imports and everything of Bun are at hand. What is returned goes to the model.
async function execute(params: { text: string; unique?: boolean }, ctx: { agentDir: string; cwd: string }) {
  const words = params.text.toLowerCase().match(/[\\p{L}\\p{N}']+/gu) ?? [];
  const count = params.unique ? new Set(words).size : words.length;
  return \`\${count} words, \${params.text.length} characters\`;
}
\`\`\`

{/* What a call comes to; mdx-ai test runs it. With few-shot (<Example few-shot …>) the model sees it, too. */}
<Example name="counts each word once">
\`\`\`json
{"arguments": {"text": "to be or not to be", "unique": true}, "result": "4 words, 18 characters"}
\`\`\`
</Example>

</Tool>
`;

const SKILL = `---
name: summary
description: How to summarise a text or a file well. Use it when a summary is asked for.
---

1. Read all of it first; a file with \`read_file\`.
2. Say in one sentence what it is about.
3. Give the three to five points that matter, the most important first.
4. Name what is missing or unclear, if anything is.

Further material of this skill goes beside this file, in {baseDir}.
`;
