import { plainLine } from "@mdx-ai/directory/text";
import type { Trace, TracePrompt, TraceTool } from "@mdx-ai/runtime";
import { limitText } from "../output/prompt-lines.ts";

/** How a prompt ended, for people. */
export function endText({ outcome, limit, holder }: TracePrompt): string {
  switch (outcome) {
    case "done":
    case "aborted":
      return outcome;
    case "error":
      return "ended by an error";
    case "limit":
      return limit === undefined ? "stopped at a limit" : limitText(limit);
    case "unfinished":
      return holder === undefined ? "interrupted" : `running in ${plainLine(holder)}`;
  }
}

/** Where a conversation went back to. */
export const rewindText = (prompt: number): string =>
  prompt === 0 ? "went back to the beginning" : `went back to the end of prompt ${prompt}`;

/** What of the agent was another from here on. Foreign text. */
export const agentChangeText = ({ parts }: Trace["agentChanges"][number]): string =>
  `the agent changed: ${parts.length === 0 ? "nothing that a model receives" : parts.join(", ")}`;

/** The state of a queued input. */
export function queuedText({ state, prompt }: Trace["queued"][number]): string {
  switch (state) {
    case "waiting":
      return "queued; it waits still";
    case "withdrawn":
      return "queued; taken back";
    case "taken":
      return `queued; it became prompt ${prompt}`;
  }
}

/** What was said about a tool call, for people. */
export const PERMISSION_TEXTS: Readonly<Record<NonNullable<TraceTool["permission"]>, string>> = {
  given: "asked, and allowed",
  refused: "not permitted",
};
