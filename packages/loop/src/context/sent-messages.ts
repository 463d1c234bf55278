import { inputTokens, type Message } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { Compaction, Conversation } from "../types/compaction.ts";

/** Which part of a conversation is sent to a model. */
export interface ContextPolicy {
  /** The most messages that are sent: the last ones, from a message of the user on. */
  readonly messages?: number;
  /** The part of the window, from 0 to 1, beyond which older messages are replaced by a summary; absent: never. */
  readonly compactAt?: number;
  /** Tokens that the model's window holds, if that is known. */
  readonly window?: number;
}

/** The tokens that a request may have before older messages are summarised; absent if there is no limit. */
export function compactionLimit({ compactAt, window }: ContextPolicy): number | undefined {
  return compactAt === undefined || window === undefined ? undefined : Math.floor(compactAt * window);
}

/**
 * The messages of a conversation that a model receives. With a compaction: its message, the same object each time, then the
 * messages that it does not replace. With `messages: N`: the last N, from the first of the
 * user among these on, or from the user's newest if none is among them; no call is separated from its result.
 * Without either: the transcript itself, which the caller must not change.
 */
export function sentMessages(conversation: Conversation, policy: ContextPolicy): readonly Message[] {
  const { messages, compaction } = conversation;
  const first = firstNeeded(conversation, policy) ?? compaction?.replaced ?? 0;
  const start = Math.max(0, first - conversation.first);
  if (compaction) return [compaction.message, ...messages.slice(start)];
  return start === 0 ? messages : messages.slice(start);
}

/** The index from which messages must be held to know what is sent; undefined if even more must be held to know that. */
export function firstNeeded(conversation: Conversation, policy: ContextPolicy): number | undefined {
  const start = windowStart(conversation, lengthOf(conversation), policy);
  return start === undefined ? undefined : Math.max(start, conversation.compaction?.replaced ?? 0);
}

/**
 * Whether the next requests contain a text that was sent before. In a window of messages only its newer half counts, since the older
 * messages leave it soon.
 */
export function isSent(text: string, conversation: Conversation, policy: ContextPolicy): boolean {
  const { messages: count } = policy;
  const newest = count === undefined ? policy : { ...policy, messages: Math.ceil(count / 2) };
  const sent = sentMessages(conversation, newest);
  return sent.some(({ role, content }) => role !== "assistant" && contentText(content).includes(text));
}

/** How many messages the transcript has. */
export const lengthOf = ({ first, messages }: Conversation): number => first + messages.length;

/** The index from which messages are held between two prompts. */
export function firstHeld(conversation: Conversation, policy: ContextPolicy): number {
  const { first, compaction } = conversation;
  const { messages: count = 0 } = policy;
  // The answers of one window's length before still show the size of their requests.
  const windowed = (windowStart(conversation, lengthOf(conversation), policy) ?? 0) - count;
  const start = Math.max(windowed, compaction?.replaced ?? 0);
  // The messages of the next window show where it begins, even if a summary replaces some of them.
  const known = policy.messages === undefined ? start : Math.min(start, lengthOf(conversation) - count);
  return Math.max(first, known);
}

/** Forgets the messages that are not sent any more, once they are on disk and between two prompts. */
export function forgetUnsent(conversation: Conversation, policy: ContextPolicy): void {
  const { first } = conversation;
  const start = firstHeld(conversation, policy);
  conversation.messages.splice(0, start - first);
  conversation.first = start;
}

/**
 * The index of the newest answer that is held, not before `from`, whose usage counts all that was sent before it and is sent now; -1
 * if there is none. Answers that broke off, or of a provider that does not count, are skipped.
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

/** Whether a compaction can belong to this many messages. */
export const fits = ({ replaced, made }: Compaction, count: number): boolean => replaced <= made && made <= count;

function isMeasured(message: Message | undefined): boolean {
  if (message?.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return false;
  return !message.usage.estimated && inputTokens(message.usage) > 0;
}

/** The index at which the window of the first `length` messages begins; undefined if that message is not held. */
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
