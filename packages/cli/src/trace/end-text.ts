import type { TracePrompt } from "@mdx-ai/runtime";
import { limitText } from "../output/limit-text.ts";

/** How a prompt ended, for people. */
export function endText({ outcome, limit }: TracePrompt): string {
  switch (outcome) {
    case "done":
    case "aborted":
      return outcome;
    case "error":
      return "ended by an error";
    case "limit":
      return limit === undefined ? "stopped at a limit" : limitText(limit);
    case "unfinished":
      return "no end yet: it runs still, or was interrupted";
  }
}
