import type { Trace } from "@mdx-ai/runtime";

/** Where a conversation went back to. */
export const rewindText = (prompt: number): string =>
  prompt === 0 ? "went back to the beginning" : `went back to the end of prompt ${prompt}`;

/** What of the agent was another from here on. Foreign text. */
export const agentChangeText = ({ parts }: Trace["agentChanges"][number]): string =>
  `the agent changed: ${parts.length === 0 ? "nothing that a model receives" : parts.join(", ")}`;

/** What became of an input that waited. */
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
