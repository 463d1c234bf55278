import type { ImageContent, TextContent, UserMessage } from "@mdx-ai/models";
import type { KeptContent } from "../types/compaction.ts";

const ABOUT = `This message stands for the older part of the conversation, which is not shown any more. \
Go on from here; the messages that follow are newer.`;

/**
 * What a model gets in place of older messages: a block with the summary, then what is kept, each between tags.
 * `timestamp` is in milliseconds since 1970.
 */
export function summaryMessage(summary: string, kept: readonly KeptContent[], timestamp: number): UserMessage {
  const head: TextContent = { type: "text", text: `${ABOUT}\n\n<summary>\n${summary}\n</summary>` };
  return { role: "user", content: [head, ...kept.flatMap(taggedContent)], timestamp };
}

/** The tags are blocks of their own: what is kept stays word for word, and no text can close a tag that is not its own. */
function taggedContent({ kind, content }: KeptContent): readonly (TextContent | ImageContent)[] {
  const [open, close] = TAGS[kind];
  return [{ type: "text", text: open }, ...content, { type: "text", text: close }];
}

const TAGS = {
  skill: ["<skill>", "</skill>"],
  input: ["<newest_message_of_the_user>", "</newest_message_of_the_user>"],
} as const satisfies Readonly<Record<KeptContent["kind"], readonly [string, string]>>;
