import { isRecord } from "@mdx-ai/base";
import fc from "fast-check";
import type { Wire } from "../support/wire-server.ts";
import type { PlayedReply } from "./played-server.ts";
import { type Framing, type Sent, stream } from "./wire-bodies.ts";

/** What an answer says, however its server writes it. */
export interface Meaning {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly end: "good" | "length";
}

/** How its server writes it: each is independent of the others. */
export interface Manner {
  /** How long the pieces of texts are. */
  readonly piece: number;
  readonly thinking: "field" | "other field" | "tag";
  readonly json: "whole" | "pieces" | "empty first" | "null first" | "cumulative" | "twice" | "object";
  readonly ids: "once" | "always" | "changing" | "empty later";
  readonly names: "once" | "always";
  readonly usage: "none" | "last" | "own" | "null" | "every";
  readonly reasons: "null" | "empty" | "missing";
  readonly ending: "usual" | "stop for calls" | "no mark" | "repeated" | "unknown";
  readonly framing: "usual" | "carriage returns" | "no blank" | "comments" | "names";
  readonly type: "usual" | "with charset" | "text/plain" | "octets";
  /** The most bytes of one write. */
  readonly write: number;
}

const word = fc.constantFrom("Hello", "Grüße 🌍", "a <b> c", "1 < 2", "`code`", "{}", "data: [DONE]", "two\nlines");
const words = fc.array(word, { minLength: 1, maxLength: 3 }).map((list) => list.join(" "));
const value = fc.oneof(
  fc.constantFrom<unknown>("a.md", "", 'q"uote', "{}", "null", 1, true, null, [1, "a"], { b: {} }),
  words,
);
const args = fc.dictionary(fc.constantFrom("path", "text", "n", "äöü"), value, { maxKeys: 3 });
const oneCall = fc.record({ name: fc.constantFrom("look", "find"), arguments: args });

/** What may be said. */
export const meaning: fc.Arbitrary<Meaning> = fc
  .record({
    thinking: fc.oneof(fc.constant(""), words),
    text: fc.oneof(fc.constant(""), words),
    calls: fc.array(oneCall, { maxLength: 3 }),
    end: fc.constantFrom<Meaning["end"][]>("good", "good", "good", "length"),
  })
  .filter(({ text, calls }) => text !== "" || calls.length > 0);

/** Manners in which a name in every piece would begin another call. */
const IS_AMBIGUOUS: readonly string[] = ["twice", "empty first", "null first", "changing"];

/** How it may be written. */
export const manner: fc.Arbitrary<Manner> = fc
  .record({
    piece: fc.constantFrom(1, 3, 1000),
    thinking: fc.constantFrom<Manner["thinking"][]>("field", "other field", "tag"),
    json: fc.constantFrom<Manner["json"][]>(
      "whole",
      "pieces",
      "empty first",
      "null first",
      "cumulative",
      "twice",
      "object",
    ),
    ids: fc.constantFrom<Manner["ids"][]>("once", "always", "changing", "empty later"),
    names: fc.constantFrom<Manner["names"][]>("once", "always"),
    usage: fc.constantFrom<Manner["usage"][]>("none", "last", "own", "null", "every"),
    reasons: fc.constantFrom<Manner["reasons"][]>("null", "empty", "missing"),
    ending: fc.constantFrom<Manner["ending"][]>("usual", "stop for calls", "no mark", "repeated", "unknown"),
    framing: fc.constantFrom<Manner["framing"][]>("usual", "carriage returns", "no blank", "comments", "names"),
    type: fc.constantFrom<Manner["type"][]>("usual", "with charset", "text/plain", "octets"),
    write: fc.constantFrom(1, 7, 100_000, 100_000),
  })
  .map((how) => ([how.json, how.ids].some((one) => IS_AMBIGUOUS.includes(one)) ? { ...how, names: "once" } : how));

/** An answer as a server of that protocol writes it. */
export function playedAnswer(wire: Wire, said: Meaning, how: Manner): PlayedReply {
  const events = eventsOf[wire](said, how);
  return { body: stream(events, framings[how.framing]), type: types[how.type], chunk: how.write };
}

const eventsOf: Readonly<Record<Wire, (said: Meaning, how: Manner) => readonly Sent[]>> = {
  openai: chatEvents,
  anthropic: anthropicEvents,
  responses: responsesEvents,
};

const framings: Readonly<Record<Manner["framing"], Framing>> = {
  usual: {},
  "carriage returns": { lineEnd: "\r\n" },
  "no blank": { field: "data:" },
  comments: { before: (_event, index) => `: keep-alive\n\nid: ${index}\nretry: 100\n` },
  names: { before: (event) => (isRecord(event) ? `event: ${event["type"] ?? "message"}\n` : "") },
};

const types: Readonly<Record<Manner["type"], string>> = {
  usual: "text/event-stream",
  "with charset": "text/event-stream; charset=utf-8",
  "text/plain": "text/plain; charset=utf-8",
  octets: "application/octet-stream",
};

/** A text in pieces; no piece parts a character from itself. */
function pieces(text: string, size: number): readonly string[] {
  const letters = [...text];
  const count = Math.ceil(letters.length / size);
  return Array.from({ length: count }, (_, index) => letters.slice(index * size, (index + 1) * size).join(""));
}

/** Arguments as they come. */
function jsonPieces(value: unknown, { json, piece }: Manner): readonly unknown[] {
  const text = JSON.stringify(value);
  const cut = pieces(text, Math.max(piece, 2));
  switch (json) {
    case "whole":
      return [text];
    case "pieces":
      return ["", ...cut];
    case "empty first":
      return ["{}", ...cut];
    case "null first":
      return ["null", ...cut];
    case "cumulative":
      return cut.map((_, index) => cut.slice(0, index + 1).join(""));
    case "twice":
      return [...cut, text];
    case "object":
      return [value];
  }
}

const counts = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };

function chatEvents(said: Meaning, how: Manner): readonly Sent[] {
  const reason = { null: { finish_reason: null }, empty: { finish_reason: "" }, missing: {} }[how.reasons];
  const every = { every: { usage: counts }, null: { usage: null }, none: {}, last: {}, own: {} }[how.usage];
  const chunk = (delta: object): object => ({ choices: [{ index: 0, delta, ...reason }], ...every });
  const tagged = how.thinking === "tag" && said.thinking !== "" ? `<think>${said.thinking}</think>` : "";
  const field = how.thinking === "field" ? "reasoning_content" : "reasoning";
  const thinking = tagged === "" ? pieces(said.thinking, how.piece).map((text) => chunk({ [field]: text })) : [];
  const content = pieces(tagged + said.text, how.piece).map((text) => chunk({ content: text }));
  const calls = said.calls.flatMap((call, index) =>
    chatCall(call, index, how).map((tool_call) => chunk({ tool_calls: [tool_call] })),
  );
  return [chunk({ role: "assistant", content: "" }), ...thinking, ...content, ...calls, ...chatEnd(said, how)];
}

function chatCall(call: Meaning["calls"][number], index: number, how: Manner): readonly object[] {
  const id = `call_${index}`;
  return jsonPieces(call.arguments, how).map((json, number) => {
    const ids = { once: {}, always: { id }, changing: { id: `${id}_${number}` }, "empty later": { id: "" } };
    const name = number === 0 || how.names === "always" ? { name: call.name } : {};
    return {
      ...{ index, type: "function" },
      ...(number === 0 ? { id } : ids[how.ids]),
      function: { ...name, arguments: json },
    };
  });
}

function chatEnd({ end, calls }: Meaning, { ending, usage }: Manner): readonly Sent[] {
  const usual = calls.length > 0 ? "tool_calls" : "stop";
  const odd = {
    "stop for calls": "stop",
    unknown: calls.length > 0 ? usual : "eos",
    usual,
    "no mark": usual,
    repeated: usual,
  };
  const finish_reason = end === "length" ? "length" : odd[ending];
  const last = { choices: [{ index: 0, delta: {}, finish_reason }], ...(usage === "last" && { usage: counts }) };
  const own = usage === "own" ? [{ choices: [], usage: counts }] : [];
  const again = ending === "repeated" ? [{ choices: [{ index: 0, delta: { content: "" }, finish_reason: "" }] }] : [];
  return [last, ...again, ...own, ...(ending === "no mark" ? [] : ["[DONE]"])];
}

function anthropicEvents(said: Meaning, how: Manner): readonly Sent[] {
  const usage = how.usage === "null" ? null : { input_tokens: 10, output_tokens: 1 };
  const start = {
    type: "message_start",
    message: { role: "assistant", content: [], ...(how.usage !== "none" && { usage }) },
  };
  const blocks = [
    ...(said.thinking === "" ? [] : [thinkingBlock(said.thinking, how)]),
    ...(said.text === "" ? [] : [textBlock(said.text, how)]),
    ...said.calls.map((call, index) => callBlock(call, index, how)),
  ];
  const events = blocks.flatMap(([block, ...deltas], index) => [
    { type: "content_block_start", index, content_block: block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    ...(how.reasons === "missing" ? [] : [{ type: "content_block_stop", index }]),
  ]);
  return [start, { type: "ping" }, ...events, ...anthropicEnd(said, how)];
}

type BlockEvents = readonly [object, ...object[]];

const thinkingBlock = (text: string, how: Manner): BlockEvents => [
  { type: "thinking", thinking: "" },
  ...pieces(text, how.piece).map((thinking) => ({ type: "thinking_delta", thinking })),
  ...(how.thinking === "field" ? [{ type: "signature_delta", signature: "sig" }] : []),
];

const textBlock = (text: string, how: Manner): BlockEvents => [
  { type: "text", text: "" },
  ...pieces(text, how.piece).map((piece) => ({ type: "text_delta", text: piece })),
];

function callBlock({ name, arguments: input }: Meaning["calls"][number], index: number, how: Manner): BlockEvents {
  const block = { type: "tool_use", id: `toolu_${index}`, name };
  if (how.json === "object") return [{ ...block, input }];
  const deltas = jsonPieces(input, how).map((partial_json) => ({ type: "input_json_delta", partial_json }));
  return [{ ...block, input: how.ids === "once" ? {} : null }, ...deltas];
}

function anthropicEnd({ end, calls }: Meaning, { ending, usage }: Manner): readonly Sent[] {
  const usual = calls.length > 0 ? "tool_use" : "end_turn";
  const odd = { "stop for calls": "end_turn", unknown: usual, usual, "no mark": usual, repeated: usual };
  const stop_reason = end === "length" ? "max_tokens" : odd[ending];
  const last = {
    type: "message_delta",
    delta: { stop_reason },
    ...(usage !== "none" && { usage: { output_tokens: 5 } }),
  };
  const stop = { type: "message_stop" };
  if (ending === "no mark") return [last];
  return ending === "repeated" ? [last, stop, stop, "[DONE]"] : [last, stop];
}

function responsesEvents(said: Meaning, how: Manner): readonly Sent[] {
  const items = [
    ...(said.thinking === ""
      ? []
      : [{ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: said.thinking }] }]),
    ...(said.text === ""
      ? []
      : [{ type: "message", id: "msg", role: "assistant", content: [{ type: "output_text", text: said.text }] }]),
    ...said.calls.map((call, index) => callItem(call, index, how)),
  ];
  const events = items.flatMap((item, index) => itemEvents(item, index, { said, how }));
  const status = said.end === "length" ? "incomplete" : "completed";
  const usage = { null: null, none: undefined, last: tokens, own: tokens, every: tokens }[how.usage];
  const reason = said.end === "length" ? { incomplete_details: { reason: "max_output_tokens" } } : {};
  const response = { status, output: how.reasons === "missing" ? [] : items, ...reason, usage };
  const created = { type: "response.created", response: { status: "in_progress", output: [] } };
  const end = { type: `response.${how.ending === "unknown" ? "completed" : status}`, response };
  return [...(how.names === "once" ? [created] : []), ...events, end, ...(how.ending === "repeated" ? ["[DONE]"] : [])];
}

const tokens = { input_tokens: 10, output_tokens: 5 };

const callItem = (
  { name, arguments: input }: Meaning["calls"][number],
  index: number,
  { json, ids }: Manner,
): object => ({
  ...{ type: "function_call", call_id: `call_${index}`, name },
  ...(ids !== "empty later" && { id: `fc_${index}` }),
  arguments: json === "object" ? input : JSON.stringify(input),
});

function itemEvents(
  item: object,
  output_index: number,
  { said, how }: { said: Meaning; how: Manner },
): readonly object[] {
  const { type } = { type: "", ...item };
  const added = { type: "response.output_item.added", output_index, item: opened(item) };
  const done = { type: "response.output_item.done", output_index, item };
  if (how.json === "whole" || how.json === "object") return [done];
  const texts: Readonly<Record<string, string>> = { reasoning: said.thinking, message: said.text };
  const text = texts[type] ?? String({ arguments: "", ...item }.arguments);
  const deltas = pieces(text, how.piece).map((delta) => ({
    type: `response.${DELTAS[type]}.delta`,
    output_index,
    delta,
  }));
  return [added, ...deltas, done];
}

const DELTAS: Readonly<Record<string, string>> = {
  reasoning: "reasoning_summary_text",
  message: "output_text",
  function_call: "function_call_arguments",
};

/** An item as it begins. */
const opened = (item: object): object => ({
  ...item,
  ...("arguments" in item && { arguments: "" }),
  ...("content" in item && { content: [] }),
  ...("summary" in item && { summary: [] }),
});
