import type { AgentFiles } from "./agent-directory.ts";
import type { Reply } from "./replies.ts";

const agentWith = (settings: string): AgentFiles => ({
  "agent.mdx": `---\n${settings}\n---\n# Agent: Limited\n\n## Purpose\n\nBe tested.\n`,
});

/** An agent whose limit of 100 tokens asks after its first answer of `ASKING_REPLIES`. */
export const ASKING_AGENT: AgentFiles = agentWith("limits: { tokens: 100, on: ask }");

export const ASKING_REPLIES: readonly Reply[] = [
  {
    calls: [{ id: "c1", name: "read_file", arguments: { path: "agent.mdx" } }],
    usage: { input: 90, output: 10, cacheRead: 0, cacheWrite: 0 },
  },
  { text: "Done." },
];

/** An agent whose hook denies each prompt. */
export const DENYING_AGENT: AgentFiles = agentWith(
  `hooks:\n  UserPromptSubmit:\n    - hooks:\n        - { type: command, command: "echo closed on Sundays >&2; exit 2" }`,
);
