import type { Answering, Piece } from "./answer-pieces.ts";
import { type EndPiece, tokensOf } from "./openai-answer.ts";

/** What is known of a response before its answer. */
export interface ResponseHead {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly instructions: string | null;
  readonly previous: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Whether it can be continued by its id, on any connection. */
  readonly store: boolean;
}

/** A response that is being given. */
export interface BegunResponse {
  readonly answering: Answering;
  /** Gives it an id, once, by the number of its prompt. */
  headOf(prompt: number): ResponseHead;
}

interface GivenAnswer {
  readonly text: string;
  readonly end: EndPiece;
}

/** A response that has ended, or that is in progress without an answer. */
export function responseObject(head: ResponseHead, answer?: GivenAnswer): object {
  const problem = answer?.end.problem;
  const isCut = answer?.end.outcome === "limit";
  const status =
    answer === undefined ? "in_progress" : problem !== undefined ? "failed" : isCut ? "incomplete" : "completed";
  const { id, created, model, instructions, previous, metadata, store } = head;
  return {
    ...{ id, object: "response", created_at: created, status, model, instructions, metadata, store },
    completed_at: answer === undefined ? null : Math.floor(Date.now() / 1000),
    previous_response_id: previous,
    error: problem === undefined ? null : { code: "server_error", message: problem },
    incomplete_details: isCut ? { reason: "max_output_tokens" } : null,
    output:
      answer === undefined || problem !== undefined
        ? []
        : [messageItem(head, answer.text, isCut ? "incomplete" : "completed")],
    usage: answer === undefined ? null : usageOf(answer.end),
    ...SETTINGS,
  };
}

/** What a request cannot change: the agent decides. */
const SETTINGS = {
  ...{
    background: false,
    max_output_tokens: null,
    max_tool_calls: null,
    parallel_tool_calls: true,
    presence_penalty: 0,
  },
  ...{
    frequency_penalty: 0,
    reasoning: null,
    service_tier: "default",
    temperature: 1,
    top_p: 1,
    top_logprobs: 0,
  },
  ...{ text: { format: { type: "text" } }, tool_choice: "auto", tools: [], truncation: "disabled", user: null },
  ...{ safety_identifier: null, prompt_cache_key: null },
};

const textPart = (text: string): object => ({ type: "output_text", text, annotations: [], logprobs: [] });

const itemId = ({ id }: ResponseHead): string => id.replace(/^resp_/, "msg_");

const messageItem = (head: ResponseHead, text: string | undefined, status: string): object => ({
  ...{ id: itemId(head), type: "message", role: "assistant", status },
  content: text === undefined ? [] : [textPart(text)],
});

function usageOf({ usage }: EndPiece): object {
  const { read, said } = tokensOf(usage);
  return {
    input_tokens: read,
    input_tokens_details: { cached_tokens: usage.cacheRead },
    output_tokens: said,
    output_tokens_details: { reasoning_tokens: usage.thinking },
    total_tokens: read + said,
  };
}

interface EventContent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** An event of a response's stream. */
interface ResponseEvent extends EventContent {
  readonly sequence_number: number;
}

/** The events of a response, in their order. */
export async function* responseEvents({
  answering,
  headOf,
}: BegunResponse): AsyncGenerator<ResponseEvent | "[DONE]", void, undefined> {
  let sequence_number = 0;
  let stream: ResponseStream | undefined;
  for await (const piece of answering.pieces) {
    if (piece.type === "begin") stream = new ResponseStream(headOf(piece.prompt));
    for (const { type, ...members } of stream?.contentsOf(piece) ?? []) {
      yield { type, sequence_number: sequence_number++, ...members };
    }
  }
  yield "[DONE]";
}

/** The stream of one response. */
class ResponseStream {
  readonly #head: ResponseHead;
  #text = "";

  constructor(head: ResponseHead) {
    this.#head = head;
  }

  /** The contents of the events for a piece of the answer. */
  contentsOf(piece: Piece): readonly EventContent[] {
    switch (piece.type) {
      case "begin":
        return this.#begin();
      case "text":
        this.#text += piece.text;
        return [{ type: "response.output_text.delta", ...this.#at, delta: piece.text, logprobs: [] }];
      case "end":
        return this.#end(piece);
      default:
        return piece satisfies never;
    }
  }

  get #at(): object {
    return { item_id: itemId(this.#head), output_index: 0, content_index: 0 };
  }

  #begin(): readonly EventContent[] {
    const response = responseObject(this.#head);
    const item = messageItem(this.#head, undefined, "in_progress");
    return [
      { type: "response.created", response },
      { type: "response.in_progress", response },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.content_part.added", ...this.#at, part: textPart("") },
    ];
  }

  #end(end: EndPiece): readonly EventContent[] {
    const text = this.#text;
    const response = responseObject(this.#head, { text, end });
    if (end.problem !== undefined) return [{ type: "response.failed", response }];
    const isCut = end.outcome === "limit";
    const item = messageItem(this.#head, text, isCut ? "incomplete" : "completed");
    return [
      { type: "response.output_text.done", ...this.#at, text, logprobs: [] },
      { type: "response.content_part.done", ...this.#at, part: textPart(text) },
      { type: "response.output_item.done", output_index: 0, item },
      { type: isCut ? "response.incomplete" : "response.completed", response },
    ];
  }
}
