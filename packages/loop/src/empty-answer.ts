import type { AssistantMessage } from "@mdx-ai/models";
import type { PromptRun } from "./prompt-effects.ts";

/**
 * What is wrong with an answer that holds nothing for the user and calls no tool, such as "sent nothing but thinking";
 * undefined for any other, and for one that says itself why it is empty.
 */
export function emptiness({ content, stopReason }: AssistantMessage): string | undefined {
  if (stopReason !== "stop" && stopReason !== "toolUse") return undefined;
  if (content.some(({ type }) => type === "toolCall")) return undefined;
  if (stopReason === "toolUse") return "said that it calls a tool, and called none";
  if (content.some((block) => block.type === "text" && block.text.trim() !== "")) return undefined;
  return content.some(({ type }) => type === "thinking") ? "sent nothing but thinking" : "sent an empty answer";
}

/** Why a prompt ended without an answer, although the model was asked twice; undefined if it has one. */
export function emptyAnswerText(message: AssistantMessage): string | undefined {
  const problem = emptiness(message);
  return problem && `the model ${problem}, twice; ask again, or in other words`;
}

/** Reports that the model is asked once more. */
export function reportEmpty({ events }: PromptRun, message: AssistantMessage): void {
  const reason = `the model ${emptiness(message)}`;
  events.emit({ type: "model_retry", attempt: 1, attempts: 1, delay: 0, reason });
}
