import type { StopReason } from "@mdx-ai/models";

/** Why a model stopped, in the words of the conventions; what they have no word for keeps ours. */
export function finishReason(reason: StopReason): string {
  switch (reason) {
    case "stop":
    case "length":
    case "pause":
    case "error":
      return reason;
    case "toolUse":
      return "tool_call";
    case "refusal":
      return "content_filter";
    case "contextExceeded":
      return "length";
    case "aborted":
      return "error";
  }
}
