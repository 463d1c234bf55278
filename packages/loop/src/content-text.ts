import { defined } from "@mdx-ai/base";
import type { ImageContent, Message, UserMessage } from "@mdx-ai/models";

/** The text of a message or of a result: that of its text blocks, joined. */
export function contentText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** An input of the user, as the model receives it. */
export interface UserInput {
  readonly text: string;
  /** Behind the text. */
  readonly images?: readonly ImageContent[] | undefined;
  /** What the user typed, if a command of theirs made the text. */
  readonly typed?: string | undefined;
}

/** A message of the user. `timestamp` is milliseconds since 1970. */
export const userMessage = ({ text, images = [], typed }: UserInput, timestamp: number): UserMessage => ({
  role: "user",
  content: [{ type: "text", text }, ...images],
  timestamp,
  ...defined({ typed }),
});

/** The text of the last assistant message: the answer of a prompt. Empty if there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return contentText(last?.content ?? []);
}
