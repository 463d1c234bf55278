import { describe, expect, test } from "bun:test";
import { type AssistantMessage, type LanguageModel, type ModelEvent, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";
import {
  type ReplyItem,
  type ResponseEvent,
  type ResponsesReply,
  responseEvents,
} from "../../support/responses-replies.ts";
import { type ResponsesServer, responsesServer } from "../../support/responses-server.ts";

const open = ({ environment }: ResponsesServer): Promise<LanguageModel> => openModel("openai/gpt-5.4", { environment });

async function answerTo(reply: ResponsesReply, stream = true): Promise<readonly ModelEvent[]> {
  using server = responsesServer(reply);
  const events = await eventsOf(await open(server), modelRequest("Hello", { stream }));
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined]);
  return events;
}

const plain = ({ latency, timestamp, ...message }: AssistantMessage): unknown => message;

const usage = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
  output_tokens: 40,
  output_tokens_details: { reasoning_tokens: 30 },
  total_tokens: 140,
};
const items: readonly ReplyItem[] = [
  { thinking: ["First. 🌊", "Then."], parts: true, signature: "gAAA+/==" },
  { text: ["I ", "look."], phase: "commentary" },
  { id: "call_1", name: "look", json: ['{"text":', '"sea"}'] },
  { id: "call_2", name: "look", json: ["{}"] },
];
const kept =
  '{"type":"reasoning","id":"rs_0_gAAA+/==","summary":[{"type":"summary_text","text":"First. 🌊"},' +
  '{"type":"summary_text","text":"Then."}],"encrypted_content":"gAAA+/=="}';
const content = [
  { type: "thinking", thinking: "First. 🌊\n\nThen.", signature: kept },
  { type: "text", text: "I look.", signature: "commentary" },
  { type: "toolCall", id: "call_1", name: "look", arguments: { text: "sea" } },
  { type: "toolCall", id: "call_2", name: "look", arguments: {} },
];

describe("an answer of the responses interface", () => {
  test("streams thinking, text and tool calls side by side, item by item, with any network chunks", async () => {
    const reply = { events: responseEvents(items, { usage, model: "gpt-5.4-2026-03-05" }), chunk: 1 };
    const events = await answerTo(reply);
    expect(endOf(events).message).toMatchObject({
      content,
      stopReason: "toolUse",
      responseModel: "gpt-5.4-2026-03-05",
      usage: { input: 30, cacheRead: 60, cacheWrite: 10, output: 40, thinking: 30, total: 140 },
    });
    expect(told(events).filter((line) => !line.includes("_delta"))).toEqual([
      "start",
      ...["thinking_start 0", "thinking_end 0", "text_start 1", "text_end 1"],
      ...["toolcall_start 2", "toolcall_end 2", "toolcall_start 3", "toolcall_end 3"],
      "done",
    ]);
  });

  test("that does not stream is the very same message", async () => {
    const reply = { events: responseEvents(items, { usage }) };
    const [streamed, whole] = [await answerTo(reply), await answerTo(reply, false)].map(
      (events) => endOf(events).message,
    );
    expect(whole && plain(whole)).toEqual(streamed && plain(streamed));
    expect(whole?.content).toMatchObject(content);
  });

  const dropped = (...types: readonly string[]): ResponsesReply => ({
    events: responseEvents(items).filter(({ type }) => !types.some((end) => type.endsWith(end))),
  });

  /** Thinking that is encrypted in the last event alone. */
  const encryptedLast = responseEvents(items).map(({ item, ...event }): ResponseEvent => {
    const { encrypted_content: _, ...plain } = Object(item);
    return item === undefined ? event : { ...event, item: plain };
  });

  const twice = (event: ResponseEvent): readonly ResponseEvent[] =>
    event.type.startsWith("response.output_item") ? [event, event] : [event];

  test.each<[string, ResponsesReply]>([
    ["with thinking that is encrypted at its end alone", { events: encryptedLast }],
    ["with each beginning and end of an item twice", { events: responseEvents(items).flatMap(twice) }],
    ["without the numbers of items", { events: responseEvents(items).map(({ output_index: _, ...event }) => event) }],
    ["without deltas", dropped(".delta", "part.added")],
    ["without items that are done", dropped("output_item.done")],
    ["as its last event alone", { events: responseEvents(items).slice(-1) }],
    ["with events and items that nobody knows", { events: responseEvents(items).flatMap(strange) }],
  ])("that comes %s is the same", async (_title, reply) => {
    expect(endOf(await answerTo(reply)).message.content).toMatchObject(content);
  });

  function strange(event: ResponseEvent): readonly ResponseEvent[] {
    const item = { type: "code_interpreter_call", id: "ci_1", status: "completed" };
    return [
      { type: "response.something.new", delta: "x" },
      { type: "keepalive" },
      { type: "response.output_item.added", output_index: 90, item },
      { type: "response.output_text.delta", output_index: 91, delta: "nobody's" },
      { type: "response.output_item.done", output_index: 90, item },
      event,
    ];
  }

  test.each<[string, readonly ReplyItem[], Parameters<typeof responseEvents>[1], string]>([
    ["is over", [{ text: ["Yes."] }], {}, "stop"],
    ["is empty", [], {}, "stop"],
    ["refuses", [{ refusal: ["I ", "cannot."] }], {}, "refusal"],
    ["reaches its length", [{ text: ["Yes"] }], { status: "incomplete" }, "length"],
    ["reaches its length in a call", items, { status: "incomplete" }, "length"],
    [
      "ends with a call that was cut off",
      [{ id: "c", name: "look", json: ["{}"], status: "incomplete" }],
      {},
      "length",
    ],
    ["is filtered", [{ text: ["Yes"] }], { status: "incomplete", reason: "content_filter" }, "refusal"],
    ["ends for a new reason", [{ text: ["Yes"] }], { status: "incomplete", reason: "new" }, "length"],
  ])("that %s says so, streamed or not", async (_title, parts, options, stopReason) => {
    for (const stream of [true, false]) {
      const { message } = endOf(await answerTo({ events: responseEvents(parts, options) }, stream));
      expect<string>(message.stopReason).toBe(stopReason);
    }
  });

  test("whose call never ended does not run it", async () => {
    const events = responseEvents([{ id: "c", name: "look", json: [] }]);
    const bare = events.filter(({ type }) => !type.endsWith("done")).map((event) => ({ ...event, response: {} }));
    expect(endOf(await answerTo({ events: bare })).message.stopReason).toBe("length");
  });

  test("whose thinking cannot go back keeps its text alone", async () => {
    const { message } = endOf(await answerTo({ events: responseEvents([{ thinking: ["Hm."] }, { text: ["Yes."] }]) }));
    expect<unknown>(message.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "Yes." },
    ]);
  });

  test("without counts is estimated", async () => {
    const { message } = endOf(await answerTo({ events: responseEvents([{ text: ["Yes."] }], { usage: {} }) }));
    expect(message.usage).toMatchObject({ estimated: true });
  });
});
