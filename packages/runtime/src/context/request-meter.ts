import type { AssistantMessage, Message } from "@mdx-ai/models";
import type { Conversation } from "../types/compaction.ts";
import type { TokenMeasure } from "../types/event.ts";
import type { ContextPolicy } from "./context-policy.ts";
import { headSize, type Measure, messagesSize, type RequestHead, tokenEstimate, upperBound } from "./message-size.ts";
import { RunningSize } from "./running-size.ts";
import { measuredAnswer, sentMessages } from "./sent-messages.ts";

/** How large a request is. */
export interface RequestSize {
  readonly tokens: number;
  readonly measured: TokenMeasure;
}

/** What a meter counts. */
export interface MeterOptions extends RequestHead {
  readonly conversation: Conversation;
  readonly policy: ContextPolicy;
}

/**
 * Counts the tokens of a conversation's next request: what the provider counted last time and an estimate of what was
 * added, or an estimate of all where nothing was counted. Keep one as long as the system prompt and the tools stay the
 * same: it counts nothing twice.
 */
export class RequestMeter {
  readonly #options: MeterOptions;
  readonly #bounds: Tally = { head: undefined, messages: new RunningSize() };
  readonly #estimates: Tally = { head: undefined, messages: new RunningSize() };

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Whether the next request may have more than so many tokens; false is certain. Takes microseconds. */
  mayExceed(tokens: number): boolean {
    const known = this.#measured();
    const most = known ? known.tokens + messagesSize(known.added, upperBound) : this.#sum(this.#bounds, upperBound);
    return most > tokens;
  }

  async size(): Promise<RequestSize> {
    const known = this.#measured();
    if (!known) return { tokens: await this.estimate(), measured: "estimate" };
    const added = known.added.length === 0 ? 0 : messagesSize(known.added, await tokenEstimate());
    return { tokens: known.tokens + added, measured: "provider" };
  }

  /** The estimate of all, whatever the provider counted. */
  async estimate(): Promise<number> {
    return this.#sum(this.#estimates, await tokenEstimate());
  }

  /** What the provider counted last, and the messages that came after that; absent where it counted nothing that is sent. */
  #measured(): { readonly tokens: number; readonly added: readonly Message[] } | undefined {
    const { conversation, policy } = this.#options;
    const place = measuredAnswer(conversation, policy);
    const answer = conversation.messages[place];
    if (answer?.role !== "assistant") return undefined;
    return { tokens: countedTokens(answer), added: conversation.messages.slice(place + 1) };
  }

  #sum(tally: Tally, measure: Measure): number {
    const { conversation, policy } = this.#options;
    tally.head ??= headSize(this.#options, measure);
    return tally.head + tally.messages.of(sentMessages(conversation, policy), measure);
  }
}

interface Tally {
  head: number | undefined;
  readonly messages: RunningSize;
}

/** What was sent and what was answered. Thinking that does not go back to the provider is not sent next time. */
function countedTokens({ usage, content }: AssistantMessage): number {
  const goesBack = content.some((block) => block.type === "thinking" && isKept(block));
  const forgotten = goesBack ? 0 : Math.min(usage.thinking, usage.output);
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output - forgotten;
}

const isKept = (block: { readonly signature?: string; readonly redacted?: string }): boolean =>
  block.signature !== undefined || block.redacted !== undefined;
