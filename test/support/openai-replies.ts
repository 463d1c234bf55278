import type { Delivery } from "./delivered-bytes.ts";

/** One chunk of a streamed chat completion. */
export type Chunk = Readonly<Record<string, unknown>>;

/** How an answer reaches the client. */
interface AnswerDelivery extends Delivery {
  /** Default as the request asks; a gateway may do otherwise. */
  readonly form?: "stream" | "document";
  /** Whether a stream ends with `[DONE]`; default true. */
  readonly done?: boolean;
  /** Milliseconds before the response begins. */
  readonly before?: number;
}

/** What the server answers to one request: an answer, or a failure before it. */
export type OpenAiReply = ({ readonly chunks: readonly Chunk[] } & AnswerDelivery) | FailureReply;

/** A failure before an answer. */
export interface FailureReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A part of an answer: the deltas in which it arrives. */
export type ReplyPart =
  | { readonly text: readonly string[] }
  | { readonly thinking: readonly string[]; readonly field?: "reasoning_content" | "reasoning" | "reasoning_text" }
  | { readonly refusal: readonly string[] }
  | { readonly id: string; readonly name: string; readonly json: readonly string[]; readonly extra?: unknown };

interface AnswerOptions {
  /** Default "tool_calls" where a tool is called, else "stop". */
  readonly finishReason?: string;
  /** As the wire has it; default 10 tokens in, 5 out. */
  readonly usage?: Chunk;
  /** Where it comes: in a chunk of its own if the request asks for it, or with the finish reason. */
  readonly usageIn?: "own chunk" | "last chunk";
}

const fewTokens = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

/** The chunks of an answer of so many parts, as the API sends them. */
export function answerChunks(parts: readonly ReplyPart[], options: AnswerOptions = {}): Chunk[] {
  const { usage = fewTokens, usageIn = "own chunk" } = options;
  const calls = parts.filter((part) => "json" in part);
  const finish_reason = options.finishReason ?? (calls.length > 0 ? "tool_calls" : "stop");
  const last = { ...chunkOf({}), choices: [{ index: 0, delta: {}, finish_reason }] };
  return [
    chunkOf({ role: "assistant", content: "" }),
    ...parts.flatMap((part) => deltasOf(part, calls).map(chunkOf)),
    ...(usageIn === "own chunk" ? [last, { ...chunkOf({}), choices: [], usage }] : [{ ...last, usage }]),
  ];
}

/** An answer of text, one delta an argument. */
export function textReply(...deltas: string[]): OpenAiReply {
  return { chunks: answerChunks([{ text: deltas }]) };
}

/** An answer that calls tools side by side, each with its input in one delta. */
export function toolReply(
  ...calls: { readonly id: string; readonly name: string; readonly input: unknown }[]
): OpenAiReply {
  return { chunks: answerChunks(calls.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] }))) };
}

interface FailureExtra {
  readonly message?: string;
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure in the shape of the API, such as `failureReply(429, "tokens")`. */
export function failureReply(status: number, type: string, extra: FailureExtra = {}): FailureReply {
  const { message = "Told to fail", code = null, headers = {} } = extra;
  return { status, body: { error: { message, type, param: null, code } }, headers };
}

/** A chunk with one delta. */
export function chunkOf(delta: Chunk): Chunk {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: null }];
  return { id: "chatcmpl-test", object: "chat.completion.chunk", created: 1, model: "test", choices, usage: null };
}

function deltasOf(part: ReplyPart, calls: readonly ReplyPart[]): readonly Chunk[] {
  if ("text" in part) return part.text.map((content) => ({ content }));
  if ("refusal" in part) return part.refusal.map((refusal) => ({ refusal }));
  if ("thinking" in part) return part.thinking.map((text) => ({ [part.field ?? "reasoning_content"]: text }));
  const { id, name, json, extra } = part;
  const index = calls.indexOf(part);
  const signature = extra === undefined ? {} : { extra_content: extra };
  const begin = { index, id, type: "function", function: { name, arguments: "" }, ...signature };
  const more = json.map((text) => ({ index, function: { arguments: text } }));
  return [begin, ...more].map((call) => ({ tool_calls: [call] }));
}
