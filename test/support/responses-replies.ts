import type { Delivery } from "./delivered-bytes.ts";
import { failureReply } from "./openai-replies.ts";

/** One server-sent event of the responses interface. */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** What the server answers to one request: an answer, or a failure before it. */
export type ResponsesReply =
  | ({
      readonly events: readonly ResponseEvent[];
      /** Default as the request asks; a gateway may do otherwise. */
      readonly form?: "stream" | "document";
      /** Milliseconds before the response begins. */
      readonly before?: number;
    } & Delivery)
  | { readonly status: number; readonly body: unknown; readonly headers?: Readonly<Record<string, string>> };

/** An item of an answer: the deltas in which it arrives. */
export type ReplyItem =
  | { readonly text: readonly string[]; readonly phase?: "commentary" | "final_answer" }
  | { readonly refusal: readonly string[] }
  /** Each text is one delta; of several parts of a summary, one each. Without a signature nothing is encrypted. */
  | { readonly thinking: readonly string[]; readonly parts?: boolean; readonly signature?: string }
  | { readonly id: string; readonly name: string; readonly json: readonly string[]; readonly status?: "incomplete" };

interface AnswerOptions {
  /** The response's `status`; default "completed". */
  readonly status?: "completed" | "incomplete" | "failed";
  /** Why an answer is incomplete; default "max_output_tokens". */
  readonly reason?: string;
  readonly error?: unknown;
  /** As the wire has it; default 10 tokens in, 5 out. */
  readonly usage?: Readonly<Record<string, unknown>>;
  /** The model that answers. */
  readonly model?: string;
}

const fewTokens = {
  input_tokens: 10,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 5,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 15,
};

/** The events of an answer of so many items, as the API sends them. */
export function responseEvents(items: readonly ReplyItem[], options: AnswerOptions = {}): ResponseEvent[] {
  const {
    status = "completed",
    reason = "max_output_tokens",
    error = null,
    usage = fewTokens,
    model = "test",
  } = options;
  const begun = {
    id: "resp_test",
    object: "response",
    model,
    status: "in_progress",
    output: [],
    error: null,
    usage: null,
  };
  const output = items.map((item, index) => wholeItem(item, index));
  const incomplete_details = status === "incomplete" ? { reason } : null;
  const ended = { ...begun, status, output, error, incomplete_details, usage };
  const events: ResponseEvent[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(itemEvents),
    { type: `response.${status}`, response: ended },
  ];
  return events.map(({ type, ...fields }, sequence_number) => ({ type, sequence_number, ...fields }));
}

/** An answer of text, one delta an argument. */
export const textReply = (...deltas: string[]): ResponsesReply => ({ events: responseEvents([{ text: deltas }]) });

/** An answer that calls tools side by side, each with its input in one delta. */
export const toolReply = (
  ...calls: { readonly id: string; readonly name: string; readonly input: unknown }[]
): ResponsesReply => ({
  events: responseEvents(calls.map(({ id, name, input }) => ({ id, name, json: [JSON.stringify(input)] }))),
});

export { failureReply };

/** An item as it is when it is done. */
function wholeItem(item: ReplyItem, index: number): ResponseEvent {
  if ("json" in item) {
    const { id: call_id, name, json, status = "completed" } = item;
    return { id: `fc_${index}`, type: "function_call", status, arguments: json.join(""), call_id, name };
  }
  if ("thinking" in item) {
    const texts = item.parts ? item.thinking : [item.thinking.join("")].filter((text) => text !== "");
    const summary = texts.map((text) => ({ type: "summary_text", text }));
    const encrypted = item.signature === undefined ? {} : { encrypted_content: item.signature };
    return { id: `rs_${index}_${item.signature ?? ""}`, type: "reasoning", summary, ...encrypted };
  }
  const phase = "phase" in item && item.phase !== undefined ? { phase: item.phase } : {};
  return {
    id: `msg_${index}`,
    type: "message",
    status: "completed",
    role: "assistant",
    content: [partOf(item)],
    ...phase,
  };
}

const partOf = (item: { readonly text: readonly string[] } | { readonly refusal: readonly string[] }): ResponseEvent =>
  "text" in item
    ? { type: "output_text", text: item.text.join(""), annotations: [], logprobs: [] }
    : { type: "refusal", refusal: item.refusal.join("") };

function itemEvents(item: ReplyItem, output_index: number): readonly ResponseEvent[] {
  const whole = wholeItem(item, output_index);
  const at = { item_id: whole["id"], output_index };
  return [
    { type: "response.output_item.added", output_index, item: begunItem(whole) },
    ...innerEvents(item, at),
    { type: "response.output_item.done", output_index, item: whole },
  ];
}

/** An item as it is when it begins. What is encrypted may be half by then. */
function begunItem(whole: ResponseEvent): ResponseEvent {
  const begun = { ...whole, status: "in_progress" };
  if (whole.type === "function_call") return { ...begun, arguments: "" };
  if (whole.type === "message") return { ...begun, content: [] };
  return { ...whole, summary: [], ...("encrypted_content" in whole && { encrypted_content: "half" }) };
}

interface Position {
  readonly item_id: unknown;
  readonly output_index: number;
}

function innerEvents(item: ReplyItem, at: Position): readonly ResponseEvent[] {
  if ("json" in item) {
    const type = "response.function_call_arguments";
    return [
      ...item.json.map((delta) => ({ type: `${type}.delta`, ...at, delta })),
      { type: `${type}.done`, ...at, arguments: item.json.join("") },
    ];
  }
  if ("thinking" in item) return summaryEvents(item, at);
  const place = { ...at, content_index: 0 };
  const [name, deltas] = "text" in item ? (["output_text", item.text] as const) : (["refusal", item.refusal] as const);
  return [
    { type: "response.content_part.added", ...place, part: { type: name } },
    ...deltas.map((delta) => ({ type: `response.${name}.delta`, ...place, delta, logprobs: [] })),
    { type: `response.${name}.done`, ...place },
    { type: "response.content_part.done", ...place, part: partOf(item) },
  ];
}

function summaryEvents(
  { thinking, parts = false }: Extract<ReplyItem, { thinking: unknown }>,
  at: Position,
): readonly ResponseEvent[] {
  const summaries = parts ? thinking.map((text) => [text]) : [thinking].filter((texts) => texts.length > 0);
  return summaries.flatMap((texts, summary_index) => {
    const place = { ...at, summary_index };
    const text = texts.join("");
    return [
      { type: "response.reasoning_summary_part.added", ...place, part: { type: "summary_text", text: "" } },
      ...texts.map((delta) => ({ type: "response.reasoning_summary_text.delta", ...place, delta })),
      { type: "response.reasoning_summary_text.done", ...place, text },
      { type: "response.reasoning_summary_part.done", ...place, part: { type: "summary_text", text } },
    ];
  });
}
