import type { AssistantMessage } from "@mdx-ai/models";

/** What a user must know of how a message ended; absent where it ended well. */
export function failureText(message: AssistantMessage): string | undefined {
  switch (message.stopReason) {
    case "stop":
    case "toolUse":
    case "pause":
    case "aborted":
      return undefined;
    case "length":
      return "The answer was cut off at the model's output limit";
    case "refusal":
      return message.errorMessage ?? "The model declined to answer";
    case "contextExceeded":
      return message.errorMessage ?? "The conversation no longer fits into the model's window; /clear starts a new one";
    case "error":
      return `The model failed: ${message.errorMessage ?? "it did not say why"}`;
  }
}
