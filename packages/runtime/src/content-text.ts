import type { ImageContent, Message, UserMessage } from "@mdx-ai/models";

/** The text of a message or of a result: that of its text blocks, joined. */
export function contentText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** A message of the user: a text, and images behind it. `timestamp` is milliseconds since 1970. */
export const userMessage = (text: string, timestamp: number, images: readonly ImageContent[] = []): UserMessage => ({
  role: "user",
  content: [{ type: "text", text }, ...images],
  timestamp,
});

/** The text of the last assistant message: the answer of a prompt. Empty if there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return contentText(last?.content ?? []);
}
