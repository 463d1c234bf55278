import type { Delivery } from "./delivered-bytes.ts";

/** One server-sent event of the Messages API. */
export interface StreamEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** How an answer reaches the client. */
interface AnswerDelivery extends Delivery {
  /** Default as the request asks; a gateway may do otherwise. */
  readonly form?: "stream" | "document";
  /** Milliseconds before the response begins. */
  readonly before?: number;
}

/** What the server answers to one request: a stream, or a failure before it. */
export type AnthropicReply =
  | ({ readonly events: readonly StreamEvent[] } & AnswerDelivery)
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/** A block of an answer: the deltas in which it arrives. */
export type ReplyBlock =
  | { readonly text: readonly string[] }
  | { readonly thinking: readonly string[]; readonly signature: string }
  | { readonly redacted: string }
  | { readonly id: string; readonly name: string; readonly json: readonly string[] };

interface AnswerOptions {
  /** Default "tool_use" where a tool is called, else "end_turn". */
  readonly stopReason?: string;
  /** As the wire has it, at the end; `input_tokens` at the start is 10. Default `{output_tokens: 5}`. */
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** The events of an answer of so many blocks, with a ping among them, as the API sends them. */
export function answerEvents(blocks: readonly ReplyBlock[], options: AnswerOptions = {}): StreamEvent[] {
  const stopReason = options.stopReason ?? (blocks.some((block) => "json" in block) ? "tool_use" : "end_turn");
  return [
    { type: "message_start", message: startMessage },
    { type: "ping" },
    ...blocks.flatMap(blockEvents),
    {
      type: "message_delta",
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: options.usage ?? { output_tokens: 5 },
    },
    { type: "message_stop" },
  ];
}

/** An answer of text, one delta an argument. */
export function textReply(...deltas: string[]): AnthropicReply {
  return { events: answerEvents([{ text: deltas }]) };
}

/** An answer that calls tools side by side, each with its input in one delta. */
export function toolReply(
  ...calls: { readonly id: string; readonly name: string; readonly input: unknown }[]
): AnthropicReply {
  return { events: answerEvents(calls.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] }))) };
}

/** A failure in the shape of the API, such as `failureReply(529, "overloaded_error")`. */
export function failureReply(status: number, type: string, extra: FailureExtra = {}): AnthropicReply {
  const { message = "Told to fail", details, headers = {} } = extra;
  const error = { type, message, ...(details === undefined ? {} : { details }) };
  return { status, body: { type: "error", error, request_id: "req_test" }, headers };
}

interface FailureExtra {
  readonly message?: string;
  /** Such as `{error_code: "enforced_spend_limit_reached"}`. */
  readonly details?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const startMessage = {
  id: "msg_test",
  type: "message",
  role: "assistant",
  model: "claude-test",
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 1 },
};

function blockEvents(block: ReplyBlock, index: number): StreamEvent[] {
  const { start, deltas } = blockParts(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function blockParts(block: ReplyBlock): { readonly start: unknown; readonly deltas: readonly unknown[] } {
  if ("text" in block) {
    return { start: { type: "text", text: "" }, deltas: block.text.map((text) => ({ type: "text_delta", text })) };
  }
  if ("thinking" in block) {
    const thoughts = block.thinking.map((thinking) => ({ type: "thinking_delta", thinking }));
    const signature = { type: "signature_delta", signature: block.signature };
    return { start: { type: "thinking", thinking: "", signature: "" }, deltas: [...thoughts, signature] };
  }
  if ("redacted" in block) return { start: { type: "redacted_thinking", data: block.redacted }, deltas: [] };
  return {
    start: { type: "tool_use", id: block.id, name: block.name, input: {} },
    deltas: block.json.map((json) => ({ type: "input_json_delta", partial_json: json })),
  };
}
