import type { AssistantMessage, Message } from "@mdx-ai/models";
import type { Conversation } from "../types/compaction.ts";
import type { TokenMeasure } from "../types/event.ts";
import {
  type ContextPolicy,
  headSize,
  type Measure,
  measuredAnswer,
  messageSize,
  messagesSize,
  type RequestHead,
  sentMessages,
  tokenEstimate,
  upperBound,
} from "./sent-messages.ts";

/** The size of a request. */
export interface RequestSize {
  readonly tokens: number;
  readonly measured: TokenMeasure;
}

/** The input of a meter. */
export interface MeterOptions extends RequestHead {
  /** Bytes of the system prompt and the tools. Absent: they are counted. Infinity: every request may be too long. */
  readonly headBound?: number;
  readonly conversation: Conversation;
  readonly policy: ContextPolicy;
}

/**
 * Counts the tokens of a conversation's next request: the provider's last count plus an estimate of the messages
 * added since, or an estimate of everything if there is no count. Keep the meter as long as the system prompt and the tools stay the
 * same: it never counts a message twice.
 */
export class RequestMeter {
  readonly #options: MeterOptions;
  #bounds: RunningSize | undefined;
  #estimates: RunningSize | undefined;
  /** The last message that was searched for a counted answer, and its index: only later messages are read. */
  #uncounted: { readonly last: Message | undefined; readonly index: number } | undefined;

  constructor(options: MeterOptions) {
    this.#options = options;
  }

  /** Whether the next request may have more than this many tokens; false is definite. Takes microseconds. */
  mayExceed(tokens: number): boolean {
    if (this.#options.headBound === Number.POSITIVE_INFINITY) return true;
    const known = this.#counted();
    if (known) return known.tokens + messagesSize(known.added, upperBound) > tokens;
    this.#bounds ??= new RunningSize(this.#options.headBound ?? headSize(this.#options, upperBound), upperBound);
    return this.#bounds.of(this.#sent(), tokens) > tokens;
  }

  async size(): Promise<RequestSize> {
    const known = this.#counted();
    if (!known) return { tokens: await this.estimate(), measured: "estimate" };
    const added = known.added.length === 0 ? 0 : messagesSize(known.added, await tokenEstimate());
    return { tokens: known.tokens + added, measured: "provider" };
  }

  /** The estimate of everything, ignoring the provider's count. */
  async estimate(): Promise<number> {
    const measure = await tokenEstimate();
    this.#estimates ??= new RunningSize(headSize(this.#options, measure), measure);
    return this.#estimates.of(this.#sent());
  }

  /** The provider's last count and the messages after it; undefined if no count covers what is sent. */
  #counted(): { readonly tokens: number; readonly added: readonly Message[] } | undefined {
    const { conversation, policy } = this.#options;
    const { messages } = conversation;
    const { last, index: from } = this.#uncounted ?? { last: messages[0], index: 0 };
    const index = measuredAnswer(conversation, policy, messages[from] === last ? from : 0);
    const answer = messages[index];
    if (answer?.role === "assistant") return { tokens: tokensOf(answer), added: messages.slice(index + 1) };
    // When the window moves, a count that is unusable now may become usable.
    if (policy.messages === undefined) this.#uncounted = { last: messages.at(-1), index: messages.length - 1 };
    return undefined;
  }

  #sent(): readonly Message[] {
    return sentMessages(this.#options.conversation, this.#options.policy);
  }
}

/** The size of the request and its answer, without thinking that is not sent back. */
function tokensOf({ usage, content }: AssistantMessage): number {
  const goesBack = content.some((block) => block.type === "thinking" && isSigned(block));
  const forgotten = goesBack ? 0 : Math.min(usage.thinking, usage.output);
  return usage.total - forgotten;
}

const isSigned = (block: { readonly signature?: string; readonly redacted?: string }): boolean =>
  block.signature !== undefined || block.redacted !== undefined;

/** The size of a growing request. Measures only the messages added since the last call. */
class RunningSize {
  readonly #head: number;
  readonly #measure: Measure;
  #first: Message | undefined;
  #last: Message | undefined;
  #count = 0;
  #size: number;

  /** `head` is the size of what precedes the messages. */
  constructor(head: number, measure: Measure) {
    this.#head = head;
    this.#size = head;
    this.#measure = measure;
  }

  /** The size with these messages. If it exceeds `enough`, any size above that. */
  of(messages: readonly Message[], enough: number = Number.POSITIVE_INFINITY): number {
    if (!this.#isBeginningOf(messages)) {
      this.#count = 0;
      this.#size = this.#head;
    }
    for (const message of messages.slice(this.#count)) {
      if (this.#size > enough) break;
      this.#add(message);
    }
    return this.#size;
  }

  /** Transcripts only grow, so if both ends are the same, the messages between have not changed. */
  #isBeginningOf(messages: readonly Message[]): boolean {
    return this.#count === 0 || (messages[0] === this.#first && messages[this.#count - 1] === this.#last);
  }

  #add(message: Message): void {
    if (this.#count === 0) this.#first = message;
    this.#last = message;
    this.#count++;
    this.#size += messageSize(message, this.#measure);
  }
}
