import type { UnknownRecord } from "@mdx-ai/base";
import type { ModelRequest } from "../types/language-model.ts";
import type { Message } from "../types/message.ts";
import type { Adaptation, RefusedRequest } from "./adaptation.ts";
import { type FilledWindow, fittingLimit, windowOf } from "./output-numbers.ts";

/** Statuses for a refused limit; 402 if the credit only pays for a shorter answer. */
const statuses: readonly unknown[] = [undefined, 400, 402, 413, 422];

/** The protocols' fields for the limit of an answer. */
const limitFields: readonly string[] = ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"];

/** The part of a window that a request may fill before older messages should be summarised. */
const MAX_FILLED = 0.8;

/** The minimum for an answer. */
const MIN_TOKENS = 512;

/** A refused limit, as sent. */
interface RefusedLimit {
  readonly field: string;
  readonly sent: number;
}

/** Lowers the limit of answers to what the server accepts, or to the space that a request leaves in the window. */
export class OutputLimit implements Adaptation {
  /** The server's minimum and maximum. */
  #least = 0;
  #limit = Number.POSITIVE_INFINITY;
  /** The space left by a request, valid while requests have that length. */
  #room: { readonly limit: number; readonly first: Message | undefined; readonly count: number } | undefined;

  learn({ status, said, body, request }: RefusedRequest): string | undefined {
    const [field, sent] = sentLimit(body);
    if (field === undefined || !statuses.includes(status)) return undefined;
    const window = windowOf(said, sent);
    const refused = { field, sent };
    return window === undefined ? this.#learnLimit(said, refused) : this.#learnRoom(window, refused, request);
  }

  request(request: ModelRequest): ModelRequest {
    const { maxTokens } = request;
    const limit = Math.min(this.#limit, this.#roomFor(request), maxTokens ?? Number.POSITIVE_INFINITY);
    const fitting = Number.isFinite(limit) ? Math.max(limit, this.#least) : undefined;
    return fitting === undefined || fitting === maxTokens ? request : { ...request, maxTokens: fitting };
  }

  #roomFor({ messages }: ModelRequest): number {
    const room = this.#room;
    const isAsLong = room !== undefined && messages.length >= room.count && messages[0] === room.first;
    return isAsLong ? room.limit : Number.POSITIVE_INFINITY;
  }

  #learnLimit(said: string, { field, sent }: RefusedLimit): string | undefined {
    const limit = fittingLimit(said, sent);
    if (limit === undefined) return undefined;
    if (limit > sent) {
      this.#least = limit;
      return `the server accepts no ${field} below ${limit}, which is sent from now on (set max_tokens: ${limit})`;
    }
    this.#limit = limit;
    return `the server accepts no ${field} of ${sent}, so answers have at most ${limit} tokens from now on (set max_tokens: ${limit})`;
  }

  /** The answer gets half of the space, because later requests are longer. */
  #learnRoom(window: FilledWindow, { field, sent }: RefusedLimit, { messages }: ModelRequest): string | undefined {
    const free = window.tokens - window.input;
    const canShrink = messages.some(({ role }) => role === "assistant");
    if (free < MIN_TOKENS || (canShrink && window.input > MAX_FILLED * window.tokens)) return undefined;
    const limit = Math.max(Math.floor(free / 2), Math.min(free - MARGIN, ENOUGH));
    if (limit >= sent) return undefined;
    this.#room = { limit, first: messages[0], count: messages.length };
    return `a ${field} of ${sent} does not fit the model's window of ${window.tokens} tokens beside the request, so the answer has at most ${limit} (set max_tokens: ${limit})`;
  }
}

/** Tokens kept free, since servers count a few more than they report. */
const MARGIN = 64;

/** Tokens that are enough for most answers. */
const ENOUGH = 8192;

function sentLimit(body: UnknownRecord): readonly [field: string | undefined, tokens: number] {
  const field = limitFields.find((name) => typeof body[name] === "number");
  return [field, field === undefined ? 0 : Number(body[field])];
}
