import { plainLine } from "@mdx-ai/directory/text";
import type { AgentEvent, LeftoverPrompt } from "@mdx-ai/runtime";

const SHOWN = 100;

/** A prompt that an earlier process did not finish, as one plain line: `interrupted: "Tidy up" (the outcome of bash is unknown)`. */
export const leftoverLine = ({ input, state, tools }: LeftoverPrompt): string =>
  `${WORDS[state]}: "${beginning(input)}"${tools.length === 0 ? "" : ` (${unknownOutcome(tools)})`}`;

/** That it is finished now, or given up, as the same line. */
export const resumedLine = (prompt: ResumedPrompt): string =>
  `${prompt.isGivenUp ? "closing" : "resuming"} what was ${leftoverLine(prompt)}`;

type ResumedPrompt = Extract<AgentEvent, { type: "prompt_resumed" }>;

const WORDS = { interrupted: "interrupted", queued: "in the queue" } as const;

/** The tools whose outcome is unknown, as a part of a sentence. */
export const unknownOutcome = (tools: readonly string[]): string =>
  `the outcome of ${[...new Set(tools.map(plainLine))].join(", ")} is unknown`;

/** The first line of what the user said, which may be very long. */
function beginning(input: string): string {
  const [first = "", ...others] = input
    .trimStart()
    .slice(0, 20 * SHOWN)
    .split("\n");
  const characters = [...plainLine(first)];
  const isCut = characters.length > SHOWN || others.some((line) => line.trim() !== "");
  return `${characters.slice(0, SHOWN).join("")}${isCut ? "…" : ""}`;
}
