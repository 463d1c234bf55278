import type { AssistantContent, ImageContent, Message, TextContent, ToolSchema } from "@mdx-ai/models";

/** How texts and images of a request are counted. */
export interface Measure {
  text(text: string): number;
  readonly image: number;
}

/** The overhead that providers add to a message, and to a call or a result. */
const FRAME = 8;

/**
 * An upper bound: a token has at least one byte. Almost free.
 */
export const upperBound: Measure = { text: (text) => Buffer.byteLength(text), image: 4_000 };

/** The estimate of `@mdx-ai/models`, loaded lazily. */
export async function tokenEstimate(): Promise<Measure> {
  const { estimateTokens, IMAGE_TOKENS } = await import("@mdx-ai/models/tokens");
  return { text: estimateTokens, image: IMAGE_TOKENS };
}

/** What precedes the messages of a request. */
export interface RequestHead {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

export const headSize = ({ system, tools }: RequestHead, measure: Measure): number =>
  measure.text(system) + (tools.length === 0 ? 0 : measure.text(JSON.stringify(tools))) + FRAME;

export function messagesSize(messages: readonly Message[], measure: Measure): number {
  return messages.reduce((size, message) => size + messageSize(message, measure), 0);
}

/** The size of a message in a request. */
export function messageSize(message: Message, measure: Measure): number {
  if (message.role === "assistant") {
    return message.content.reduce((size, block) => size + answerSize(block, measure), FRAME);
  }
  const name = message.role === "toolResult" ? FRAME : 0;
  return contentSize(message.content, measure) + FRAME + name;
}

export function contentSize(content: readonly (TextContent | ImageContent)[], measure: Measure): number {
  return content.reduce((size, block) => size + (block.type === "text" ? measure.text(block.text) : measure.image), 0);
}

function answerSize(block: AssistantContent, measure: Measure): number {
  switch (block.type) {
    case "text":
      return measure.text(block.text);
    case "thinking":
      return thinkingSize(block, measure);
    case "toolCall":
      return measure.text(block.name) + measure.text(JSON.stringify(block.arguments)) + 2 * FRAME;
  }
}

/** Thinking is sent back only with its signature. Encrypted thinking is longer than its text. */
function thinkingSize(
  { thinking, signature, redacted }: Extract<AssistantContent, { type: "thinking" }>,
  measure: Measure,
): number {
  if (redacted !== undefined) return Math.ceil(redacted.length / 4);
  return signature === undefined ? 0 : measure.text(thinking);
}
