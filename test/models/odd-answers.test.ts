import { describe, expect, test } from "bun:test";
import { events, type RawProtocol, readRaw } from "../support/raw-server.ts";

/** The events of an Anthropic answer before its end, and its end. */
const message = { type: "message_start", message: { model: "m", usage: { input_tokens: 1, output_tokens: 1 } } };
const text = [
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hi" } },
  { type: "content_block_stop", index: 0 },
];
const use = (...pieces: readonly string[]): readonly object[] => [
  { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "t", name: "t", input: {} } },
  ...pieces.map((partial_json) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "input_json_delta", partial_json },
  })),
  { type: "content_block_stop", index: 0 },
];
const ended = (stop_reason: unknown): object => ({ type: "message_delta", delta: { stop_reason }, usage: {} });
const stop = { type: "message_stop" };

/** The events of a response. */
const item = { type: "message", id: "m", content: [{ type: "output_text", text: "Hi" }] };
const call = (json: unknown): object => ({ type: "function_call", id: "f", call_id: "c", name: "t", arguments: json });
const created = { type: "response.created", response: { model: "m" } };
const added = (one: object): object => ({ type: "response.output_item.added", output_index: 0, item: one });
const completed = (one: object): object => ({ type: "response.output_item.done", output_index: 0, item: one });
const over = (status: string, more: object = {}): object => ({
  type: `response.${status}`,
  response: { status, ...more },
});
const incomplete = (reason: unknown): object => over("incomplete", { incomplete_details: { reason } });

interface Row {
  readonly title: string;
  readonly protocol: RawProtocol;
  readonly body: string;
  readonly type?: string;
  readonly stopReason: string;
  readonly warning?: true;
  readonly arguments?: unknown;
}

const rows: readonly Row[] = [
  {
    title: "a reason without message_stop",
    protocol: "anthropic",
    body: events(message, ...text, ended("end_turn")),
    stopReason: "stop",
  },
  {
    title: "a call and a reason without message_stop",
    protocol: "anthropic",
    body: events(message, ...use('{"a":1}'), ended("tool_use")),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
  { title: "neither", protocol: "anthropic", body: events(message, ...text), stopReason: "error" },
  {
    title: "[DONE] behind whole blocks, without a reason",
    protocol: "anthropic",
    body: `${events(message, ...text)}data: [DONE]\n\n`,
    stopReason: "stop",
  },
  {
    title: "[DONE] within a block",
    protocol: "anthropic",
    body: `${events(message, ...use('{"a":1}').slice(0, -1))}data: [DONE]\n\n`,
    stopReason: "error",
  },
  {
    title: "a message whose content is a text",
    protocol: "anthropic",
    type: "application/json",
    body: JSON.stringify({ type: "message", content: "Hi", stop_reason: "end_turn" }),
    stopReason: "stop",
  },
  {
    title: "an empty reason without message_stop",
    protocol: "anthropic",
    body: events(message, ...text, ended("")),
    stopReason: "error",
  },
  {
    title: "null after a known reason",
    protocol: "anthropic",
    body: events(message, ...text, ended("max_tokens"), ended(null), stop),
    stopReason: "length",
  },
  {
    title: "a word of another vendor",
    protocol: "anthropic",
    body: events(message, ...text, ended("length"), stop),
    stopReason: "length",
  },
  {
    title: "an unknown word",
    protocol: "anthropic",
    body: events(message, ...text, ended("moon_phase"), stop),
    stopReason: "stop",
    warning: true,
  },
  { title: "a refusal", protocol: "anthropic", body: events(message, ended("refusal"), stop), stopReason: "refusal" },
  {
    title: "events as JSON",
    protocol: "anthropic",
    type: "application/json",
    body: events(message, ...text, ended("end_turn"), stop),
    stopReason: "stop",
  },
  {
    title: "a document as text",
    protocol: "anthropic",
    type: "text/plain",
    body: JSON.stringify({ content: [{ type: "text", text: "Hi" }], stop_reason: "end_turn", error: null }),
    stopReason: "stop",
  },
  {
    title: "a placeholder before the pieces",
    protocol: "anthropic",
    body: events(message, ...use("{}", '{"a":', "1}"), ended("tool_use"), stop),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
  {
    title: "pieces with all so far",
    protocol: "anthropic",
    body: events(message, ...use('{"a', '{"a":1}'), ended("tool_use"), stop),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
  {
    title: "an object as a text in the text",
    protocol: "anthropic",
    body: events(message, ...use(JSON.stringify('{"a":1}')), ended("tool_use"), stop),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
  {
    title: "[DONE] behind whole items",
    protocol: "responses",
    body: events(created, added(item), completed(item), "[DONE]"),
    stopReason: "stop",
  },
  {
    title: "[DONE] behind half an item",
    protocol: "responses",
    body: events(created, added(call("")), "[DONE]"),
    stopReason: "error",
  },
  {
    title: "the connection closed behind whole items",
    protocol: "responses",
    body: events(created, added(call('{"a":1}')), completed(call('{"a":1}'))),
    stopReason: "error",
  },
  {
    title: "response.done instead of completed",
    protocol: "responses",
    body: events(created, completed(item), { type: "response.done", response: { status: "completed" } }),
    stopReason: "stop",
  },
  {
    title: "an unknown reason to be incomplete",
    protocol: "responses",
    body: events(created, completed(item), incomplete("moon_phase")),
    stopReason: "length",
    warning: true,
  },
  {
    title: "an incomplete answer",
    protocol: "responses",
    body: events(created, completed(item), incomplete("max_tokens")),
    stopReason: "length",
  },
  {
    title: "a filtered answer",
    protocol: "responses",
    body: events(created, completed(item), incomplete("content_filter")),
    stopReason: "refusal",
  },
  {
    title: "events without a type",
    protocol: "responses",
    type: "",
    body: events(created, completed(item), over("completed")),
    stopReason: "stop",
  },
  {
    title: "a document as events",
    protocol: "responses",
    body: JSON.stringify({ output: [item], status: "completed", error: null }),
    stopReason: "stop",
  },
  {
    title: "two calls side by side, known by their ids alone",
    protocol: "responses",
    body: events(
      created,
      ...["f1", "f2"].map((id) => ({ type: "response.output_item.added", item: { ...call(""), id, call_id: id } })),
      { type: "response.function_call_arguments.delta", item_id: "f1", delta: '{"a":1}' },
      { type: "response.function_call_arguments.delta", item_id: "f2", delta: '{"b":2}' },
      ...["f1", "f2"].map((id) => ({
        type: "response.output_item.done",
        item: { ...call(id === "f1" ? '{"a":1}' : '{"b":2}'), id, call_id: id },
      })),
      over("completed"),
    ),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
  {
    title: "a document without a status",
    protocol: "responses",
    type: "application/json",
    body: JSON.stringify({ output: [{ ...item, content: "Hi" }] }),
    stopReason: "stop",
  },
  {
    title: "a call whose arguments are a text in a text",
    protocol: "responses",
    body: events(created, completed(call(JSON.stringify('{"a":1}'))), over("completed")),
    stopReason: "toolUse",
    arguments: { a: 1 },
  },
];

describe("an answer out of the ordinary", () => {
  test.each(rows)("$protocol: $title", async ({ protocol, body, type = "text/event-stream", ...wanted }) => {
    const { length } = Buffer.from(body);
    for (const cuts of [[], Array.from({ length: 12 }, (_, at) => Math.floor((length * (at + 1)) / 13.7))]) {
      const { stopReason, warning, content } = await readRaw(protocol, { body, type, cuts });
      expect(stopReason).toBe(wanted.stopReason as never);
      expect(warning !== undefined).toBe(wanted.warning === true);
      const [block] = content;
      if (wanted.arguments !== undefined)
        expect(block?.type === "toolCall" && block.arguments).toEqual(wanted.arguments as never);
    }
  });
});
