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
  /** Bytes of the system prompt and the tools; counted if absent, and with Infinity every request may be too long. */
  readonly headBound?: number;
  readonly conversation: Conversation;
  readonly policy: ContextPolicy;
}

/** A sum over a request, kept between two looks. */
interface Tally {
  readonly head: number;
  readonly messages: RunningSize;
}

/**
 * Counts the tokens of a conversation's next request: what the provider counted last time and an estimate of what was
 * added, or an estimate of all where nothing was counted. Keep one as long as the system prompt and the tools stay the
 * same: it counts nothing twice.
 */
export class RequestMeter {
  readonly #options: MeterOptions;
  #bounds: Tally | undefined;
  #estimates: Tally | undefined;
  /** The last message of a transcript in which no answer was counted, and its place: only later ones are looked at. */
  #uncounted: { readonly last: Message | undefined; readonly place: number } | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Whether the next request may have more than so many tokens; false is certain. Takes microseconds. */
  mayExceed(tokens: number): boolean {
    if (this.#options.headBound === Number.POSITIVE_INFINITY) return true;
    const known = this.#counted();
    if (known) return known.tokens + messagesSize(known.added, upperBound) > tokens;
    this.#bounds ??= {
      head: this.#options.headBound ?? headSize(this.#options, upperBound),
      messages: new RunningSize(upperBound),
    };
    const { head, messages } = this.#bounds;
    return head + messages.of(this.#sent(), tokens - head) > tokens;
  }

  async size(): Promise<RequestSize> {
    const known = this.#counted();
    if (!known) return { tokens: await this.estimate(), measured: "estimate" };
    const added = known.added.length === 0 ? 0 : messagesSize(known.added, await tokenEstimate());
    return { tokens: known.tokens + added, measured: "provider" };
  }

  /** The estimate of all, whatever the provider counted. */
  async estimate(): Promise<number> {
    this.#estimates ??= this.#tally(await tokenEstimate());
    return this.#estimates.head + this.#estimates.messages.of(this.#sent());
  }

  /** What the provider counted last, and the messages that came after that; absent where it counted nothing that is sent. */
  #counted(): { readonly tokens: number; readonly added: readonly Message[] } | undefined {
    const { conversation, policy } = this.#options;
    const { messages } = conversation;
    const from =
      this.#uncounted && messages[this.#uncounted.place] === this.#uncounted.last ? this.#uncounted.place : 0;
    const place = measuredAnswer(conversation, policy, from);
    const answer = messages[place];
    if (answer?.role === "assistant") return { tokens: tokensOf(answer), added: messages.slice(place + 1) };
    // Where a window moves, what was not to be believed may be later.
    if (policy.messages === undefined) this.#uncounted = { last: messages.at(-1), place: messages.length - 1 };
    return undefined;
  }

  #tally(measure: Measure): Tally {
    return { head: headSize(this.#options, measure), messages: new RunningSize(measure) };
  }

  #sent(): readonly Message[] {
    return sentMessages(this.#options.conversation, this.#options.policy);
  }
}

/** What was sent and what was answered. Thinking that does not go back to the provider is not sent next time. */
function tokensOf({ usage, content }: AssistantMessage): number {
  const goesBack = content.some((block) => block.type === "thinking" && isSigned(block));
  const forgotten = goesBack ? 0 : Math.min(usage.thinking, usage.output);
  return usage.input + usage.cacheRead + usage.cacheWrite + usage.output - forgotten;
}

const isSigned = (block: { readonly signature?: string; readonly redacted?: string }): boolean =>
  block.signature !== undefined || block.redacted !== undefined;
