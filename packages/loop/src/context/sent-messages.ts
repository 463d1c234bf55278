import {
  type AssistantContent,
  type ImageContent,
  inputTokens,
  type Message,
  type TextContent,
  type ToolSchema,
} from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { Compaction, Conversation } from "../types/compaction.ts";

/** The policy for the part of a conversation that is sent to a model. */
export interface ContextPolicy {
  /** The maximum number of messages to send: the last ones, beginning with a user message. */
  readonly messages?: number;
  /** The share of the window, from 0 to 1, above which older messages are replaced by a summary; absent: never. */
  readonly compactAt?: number;
  /** The model's window in tokens, if known. */
  readonly window?: number;
}

/** The maximum tokens of a request before older messages are summarised; undefined if there is no limit. */
export function compactionLimit({ compactAt, window }: ContextPolicy): number | undefined {
  return compactAt === undefined || window === undefined ? undefined : Math.floor(compactAt * window);
}

/**
 * The messages of a conversation that are sent. With a compaction: its message, the same object each time, then the
 * messages that it does not replace. With `messages: N`: the last N, from the first user
 * message among these on, or from the newest user message if there is none; no call is separated from its result.
 * Otherwise: the transcript itself, which the caller must not change.
 */
export function sentMessages(conversation: Conversation, policy: ContextPolicy): readonly Message[] {
  const { messages, compaction } = conversation;
  const first = firstNeeded(conversation, policy) ?? compaction?.replaced ?? 0;
  const start = Math.max(0, first - conversation.first);
  if (compaction) return [compaction.message, ...messages.slice(start)];
  return start === 0 ? messages : messages.slice(start);
}

/** The index of the first message that is needed to decide what is sent; undefined if that message is not in memory. */
export function firstNeeded(conversation: Conversation, policy: ContextPolicy): number | undefined {
  const start = windowStart(conversation, lengthOf(conversation), policy);
  return start === undefined ? undefined : Math.max(start, conversation.compaction?.replaced ?? 0);
}

/**
 * Whether the next requests still contain an earlier text. In a window of messages only the newer half counts, since the older
 * messages drop out soon.
 */
export function isSent(text: string, conversation: Conversation, policy: ContextPolicy): boolean {
  const { messages: count } = policy;
  const newest = count === undefined ? policy : { ...policy, messages: Math.ceil(count / 2) };
  const sent = sentMessages(conversation, newest);
  return sent.some(({ role, content }) => role !== "assistant" && contentText(content).includes(text));
}

/** The length of the transcript in messages. */
export const lengthOf = ({ first, messages }: Conversation): number => first + messages.length;

/** The index of the first message to keep in memory between prompts. */
export function firstHeld(conversation: Conversation, policy: ContextPolicy): number {
  const { first, compaction } = conversation;
  const { messages: count = 0 } = policy;
  // Answers up to one window before still show the size of their requests.
  const windowed = (windowStart(conversation, lengthOf(conversation), policy) ?? 0) - count;
  const start = Math.max(windowed, compaction?.replaced ?? 0);
  // The messages of the next window determine where it begins, even if a summary replaces some of them.
  const known = policy.messages === undefined ? start : Math.min(start, lengthOf(conversation) - count);
  return Math.max(first, known);
}

/** Drops messages from memory that are no longer sent. Call it between prompts, when they are on disk. */
export function forgetUnsent(conversation: Conversation, policy: ContextPolicy): void {
  const { first } = conversation;
  const start = firstHeld(conversation, policy);
  conversation.messages.splice(0, start - first);
  conversation.first = start;
}

/**
 * The index of the newest answer in memory, at or after `from`, whose usage covers everything before it that is still sent; -1
 * if there is none. Skips failed answers, and answers of providers that report no usage.
 */
export function measuredAnswer(conversation: Conversation, policy: ContextPolicy, from: number): number {
  const { first, messages, compaction } = conversation;
  const oldest = Math.max(from, (compaction?.made ?? 0) - first);
  for (let index = messages.length - 1; index >= oldest; index--) {
    if (!isMeasured(messages[index])) continue;
    const start = windowStart(conversation, first + index, policy);
    const isSame = start !== undefined && start === windowStart(conversation, lengthOf(conversation), policy);
    return isSame ? index : -1;
  }
  return -1;
}

/** Whether a compaction is valid for a transcript of this many messages. */
export const fits = ({ replaced, made }: Compaction, count: number): boolean => replaced <= made && made <= count;

function isMeasured(message: Message | undefined): boolean {
  if (message?.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return false;
  return !message.usage.estimated && inputTokens(message.usage) > 0;
}

/** The index at which the window of the first `length` messages begins; undefined if that message is not in memory. */
function windowStart(
  { first, messages }: Conversation,
  length: number,
  { messages: count }: ContextPolicy,
): number | undefined {
  if (count === undefined || length <= count) return 0;
  if (length - count < first) return undefined;
  const isInput = (index: number): boolean => messages[index - first]?.role === "user";
  for (let index = length - count; index < length; index++) if (isInput(index)) return index;
  for (let index = length - count - 1; index >= first; index--) if (isInput(index)) return index;
  return first === 0 ? 0 : undefined;
}

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
