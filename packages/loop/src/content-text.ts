import { defined } from "@mdx-ai/base";
import type { Cost, ImageContent, Message, UserMessage } from "@mdx-ai/models";

/** The joined text blocks of a message or a result. */
export function contentText(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** A user input as the model receives it. */
export interface UserInput {
  readonly text: string;
  /** Images that follow the text. */
  readonly images?: readonly ImageContent[] | undefined;
  /** The command as typed, if the text was expanded from one. */
  readonly typed?: string | undefined;
  /** What it has cost: it is the result of an agent. */
  readonly cost?: Cost | undefined;
}

/** Makes a user message. `timestamp` is milliseconds since 1970. */
export const userMessage = ({ text, images = [], typed, cost }: UserInput, timestamp: number): UserMessage => ({
  role: "user",
  content: [{ type: "text", text }, ...images],
  timestamp,
  ...defined({ typed, cost }),
});

/** Texts of modules as a message; empty without any. `timestamp` is milliseconds since 1970. */
export function moduleMessage(texts: readonly string[], timestamp: number): { readonly message?: UserMessage } {
  if (texts.length === 0) return {};
  const content = texts.map((text) => ({ type: "text" as const, text }));
  return { message: { role: "user", content, timestamp, origin: "module" } };
}

/** The text of the last assistant message: the answer of a prompt. Empty if there is none. */
export function answerText(messages: readonly Message[]): string {
  const last = messages.findLast((message) => message.role === "assistant");
  return contentText(last?.content ?? []);
}
