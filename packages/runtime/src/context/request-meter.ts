import type { AssistantMessage, Message } from "@mdx-ai/models";
import type { Conversation } from "../types/compaction.ts";
import type { TokenMeasure } from "../types/event.ts";
import {
  headSize,
  type Measure,
  messageSize,
  messagesSize,
  type RequestHead,
  tokenEstimate,
  upperBound,
} from "./message-size.ts";
import { type ContextPolicy, measuredAnswer, sentMessages } from "./sent-messages.ts";

/** How large a request is. */
interface RequestSize {
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

/** A sum over a request, kept between two calls. */
interface Tally {
  readonly head: number;
  readonly messages: RunningSize;
}

/**
 * Counts the tokens of a conversation's next request: what the provider counted last time and an estimate of what was
 * added, or an estimate of all if nothing was counted. Keep one as long as the system prompt and the tools stay the
 * same: it counts nothing twice.
 */
export class RequestMeter {
  readonly #options: MeterOptions;
  #bounds: Tally | undefined;
  #estimates: Tally | undefined;
  /** The last message of a transcript in which no answer was counted, and its index: only later ones are read. */
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

  /** What the provider counted last, and the messages that came after that; absent if it counted nothing that is sent. */
  #counted(): { readonly tokens: number; readonly added: readonly Message[] } | undefined {
    const { conversation, policy } = this.#options;
    const { messages } = conversation;
    const from =
      this.#uncounted && messages[this.#uncounted.place] === this.#uncounted.last ? this.#uncounted.place : 0;
    const place = measuredAnswer(conversation, policy, from);
    const answer = messages[place];
    if (answer?.role === "assistant") return { tokens: tokensOf(answer), added: messages.slice(place + 1) };
    // If a window moves, a count that is unusable now may be usable later.
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

/** Adds up messages that mostly grow at their end, at the cost of what was added since the last time. */
class RunningSize {
  readonly #measure: Measure;
  #first: Message | undefined;
  #last: Message | undefined;
  #count = 0;
  #size = 0;

  constructor(measure: Measure) {
    this.#measure = measure;
  }

  /** The size of all messages; or, if that is more than `enough`, any size that is more. */
  of(messages: readonly Message[], enough: number = Number.POSITIVE_INFINITY): number {
    if (!this.#isBeginningOf(messages)) this.#reset();
    for (let index = this.#count; index < messages.length && this.#size <= enough; index++) this.#add(messages[index]);
    return this.#size;
  }

  /** The messages between have not changed if both ends are the same: transcripts only grow. */
  #isBeginningOf(messages: readonly Message[]): boolean {
    return this.#count === 0 || (messages[0] === this.#first && messages[this.#count - 1] === this.#last);
  }

  #reset(): void {
    this.#count = 0;
    this.#size = 0;
  }

  #add(message: Message | undefined): void {
    if (message === undefined) return;
    if (this.#count === 0) this.#first = message;
    this.#last = message;
    this.#count++;
    this.#size += messageSize(message, this.#measure);
  }
}

/** The size of a request, and the estimate in its provider's measure. */
interface Yardstick {
  readonly size: RequestSize;
  readonly measure: Measure;
  /** Of the same request with another conversation. Tokens. */
  sizeWith(conversation: MeterOptions["conversation"]): Promise<number>;
}

/** Some servers count only what they had not cached; such a count is not to be trusted. */
const LEAST_SHARE = 0.5;

/** Tokenizers differ: what the provider counted shows how to scale the estimate for it. */
export async function requestYardstick(options: MeterOptions): Promise<Yardstick> {
  const meter = new RequestMeter(options);
  const [counted, estimated, estimate] = await Promise.all([meter.size(), meter.estimate(), tokenEstimate()]);
  const isTrusted = counted.tokens >= estimated * LEAST_SHARE;
  const scale = isTrusted ? counted.tokens / estimated : 1;
  return {
    size: isTrusted ? counted : { tokens: estimated, measured: "estimate" },
    measure: { text: (text) => estimate.text(text) * scale, image: estimate.image * scale },
    sizeWith: async (conversation) =>
      Math.ceil((await new RequestMeter({ ...options, conversation }).estimate()) * scale),
  };
}
