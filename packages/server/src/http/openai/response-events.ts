import type { Piece } from "./answer-pieces.ts";
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

/** An event of a response's stream. */
interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly [member: string]: unknown;
}

/** The events of a response, in their order. */
export async function* responseEvents(
  pieces: AsyncIterable<Piece>,
  head: ResponseHead,
): AsyncGenerator<ResponseEvent | "[DONE]", void, undefined> {
  let sequence_number = 0;
  const event = (type: string, members: object): ResponseEvent => ({
    type,
    sequence_number: sequence_number++,
    ...members,
  });
  const at = { item_id: itemId(head), output_index: 0, content_index: 0 };
  yield event("response.created", { response: responseObject(head) });
  yield event("response.in_progress", { response: responseObject(head) });
  yield event("response.output_item.added", { output_index: 0, item: messageItem(head, undefined, "in_progress") });
  yield event("response.content_part.added", { ...at, part: textPart("") });
  let text = "";
  for await (const piece of pieces) {
    if (piece.type === "text") {
      text += piece.text;
      yield event("response.output_text.delta", { ...at, delta: piece.text, logprobs: [] });
      continue;
    }
    const response = responseObject(head, { text, end: piece });
    if (piece.problem !== undefined) yield event("response.failed", { response });
    else {
      const isCut = piece.outcome === "limit";
      yield event("response.output_text.done", { ...at, text, logprobs: [] });
      yield event("response.content_part.done", { ...at, part: textPart(text) });
      yield event("response.output_item.done", {
        output_index: 0,
        item: messageItem(head, text, isCut ? "incomplete" : "completed"),
      });
      yield event(isCut ? "response.incomplete" : "response.completed", { response });
    }
  }
  yield "[DONE]";
}
