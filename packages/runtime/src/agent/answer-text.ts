import type { Message } from "@mdx-ai/models";

/** The text of the last assistant message: the answer of a prompt. Empty where there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return last?.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("") ?? "";
}
