import type { Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";

/** The text of the last assistant message: the answer of a prompt. Empty if there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return contentText(last?.content ?? []);
}
