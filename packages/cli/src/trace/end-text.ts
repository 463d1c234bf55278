import type { TracePrompt } from "@mdx-ai/runtime";
import { limitText } from "../output/limit-text.ts";
import { plainLine } from "../plain-text.ts";

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
