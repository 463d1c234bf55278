import type { AssistantMessage } from "@mdx-ai/models";
import type { PromptRun } from "./prompt-effects.ts";

/**
 * The problem of an answer without text for the user and without calls, such as "sent nothing but thinking";
 * undefined for any other answer, and for one that gives a reason.
 */
export function emptiness({ content, stopReason }: AssistantMessage): string | undefined {
  if (stopReason !== "stop" && stopReason !== "toolUse") return undefined;
  if (content.some(({ type }) => type === "toolCall")) return undefined;
  if (stopReason === "toolUse") return "announced a tool call, but made none";
  if (content.some((block) => block.type === "text" && block.text.trim() !== "")) return undefined;
  return content.some(({ type }) => type === "thinking") ? "sent nothing but thinking" : "sent an empty answer";
}

/** Why a prompt ended without an answer after two attempts; undefined if it has one. */
export function emptyAnswerText(message: AssistantMessage): string | undefined {
  const problem = emptiness(message);
  return problem && `the model ${problem}, twice; ask again, or rephrase the request`;
}

/** Reports another attempt. */
export function reportEmpty({ events }: PromptRun, message: AssistantMessage): void {
  const reason = `the model ${emptiness(message)}`;
  events.emit({ type: "model_retry", attempt: 1, attempts: 1, delay: 0, reason });
}
