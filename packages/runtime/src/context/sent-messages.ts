import type { Message } from "@mdx-ai/models";
import type { Compaction, Conversation } from "../types/compaction.ts";
import type { ContextPolicy } from "./context-policy.ts";

/**
 * What of a conversation a model gets. With a compaction: the message that stands for what it replaces, one and the same
 * object each time, then the messages after that. With `messages: N`: of the messages the last N, from the first of the
 * user among these on, or from the user's newest where none is among them; no call is parted from its result.
 * Without either: the transcript itself, which nobody may change.
 */
export function sentMessages({ messages, compaction }: Conversation, policy: ContextPolicy): readonly Message[] {
  const start = Math.max(windowStart(messages, messages.length, policy), compaction?.replaced ?? 0);
  if (compaction) return [compaction.message, ...messages.slice(start)];
  return start === 0 ? messages : messages.slice(start);
}

/**
 * The place of the newest answer, not before `from`, whose usage counts all that was sent before it and is sent now; -1
 * where there is none. Answers that broke off, or of a provider that does not count, say nothing.
 */
export function measuredAnswer({ messages, compaction }: Conversation, policy: ContextPolicy, from: number): number {
  const first = Math.max(from, compaction?.made ?? 0);
  for (let place = messages.length - 1; place >= first; place--) {
    if (!isMeasured(messages[place])) continue;
    const sameStart = windowStart(messages, place, policy) === windowStart(messages, messages.length, policy);
    return sameStart ? place : -1;
  }
  return -1;
}

/** Whether a compaction can belong to so many messages. */
export const fits = ({ replaced, made }: Compaction, count: number): boolean => replaced <= made && made <= count;

function isMeasured(message: Message | undefined): boolean {
  if (message?.role !== "assistant" || message.stopReason === "error" || message.stopReason === "aborted") return false;
  const { input, cacheRead, cacheWrite, estimated } = message.usage;
  return !estimated && input + cacheRead + cacheWrite > 0;
}

/** Where the window of the first `length` messages begins. */
function windowStart(messages: readonly Message[], length: number, { messages: count }: ContextPolicy): number {
  if (count === undefined || length <= count) return 0;
  for (let place = length - count; place < length; place++) {
    if (messages[place]?.role === "user") return place;
  }
  for (let place = length - count - 1; place > 0; place--) {
    if (messages[place]?.role === "user") return place;
  }
  return 0;
}
