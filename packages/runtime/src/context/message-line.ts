import type { AssistantMessage, Message, UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { leadingSkill } from "./kept-content.ts";

/** What is needed to tell of a message in short. */
export interface LineOptions {
  /** Characters that any text may have. */
  readonly most: number;
  /** The results that hold a skill's content, which is kept elsewhere. */
  readonly skills: ReadonlySet<Message>;
  /** What an input may begin with that is kept elsewhere. */
  readonly skillTexts: readonly string[];
}

/** Characters that are shown of a text, if there is room for as many. */
const MOST = { result: 2_000, arguments: 1_000, text: 20_000 } as const;
const KEPT = "(a skill; it is kept)";

/** A message for whoever summarises it, as one line of JSON: no text can pass for another message. */
export function messageLine(message: Message, options: LineOptions): string {
  switch (message.role) {
    case "user":
      return JSON.stringify({ user: inputText(message, options), ...images(message) });
    case "assistant":
      return JSON.stringify(answerLine(message, options));
    case "toolResult": {
      const { toolName, isError, content } = message;
      const text = options.skills.has(message) ? KEPT : shortened(contentText(content), MOST.result, options);
      return JSON.stringify({ result_of: toolName, ...(isError && { failed: true }), text, ...images(message) });
    }
  }
}

function inputText({ content }: UserMessage, options: LineOptions): string {
  const text = contentText(content);
  const skill = leadingSkill(text, options.skillTexts);
  return shortened(skill === undefined ? text : KEPT + text.slice(skill.length), MOST.text, options);
}

function images({ content }: Exclude<Message, AssistantMessage>): { readonly images?: number } {
  const count = content.filter(({ type }) => type === "image").length;
  return count === 0 ? {} : { images: count };
}

function answerLine({ content, stopReason }: AssistantMessage, options: LineOptions): object {
  const calls = content.flatMap((block) => (block.type === "toolCall" ? [block] : []));
  return {
    agent: shortened(contentText(content), MOST.text, options),
    ...((stopReason === "error" || stopReason === "aborted") && { broke_off: true }),
    ...(calls.length > 0 && {
      calls: calls.map(({ name, arguments: given }) => ({
        name,
        arguments: shortened(JSON.stringify(given), MOST.arguments, options),
      })),
    }),
  };
}

/** The beginning and the end of a text, with the number of characters that are left out between. */
function shortened(text: string, usual: number, { most }: LineOptions): string {
  const limit = Math.min(usual, most);
  if (text.length <= limit) return text;
  const tail = Math.floor(limit * 0.3);
  const head = text.slice(0, limit - tail);
  return `${head} [… ${text.length - limit} characters left out …] ${text.slice(-tail)}`.toWellFormed();
}
