import { describe, expect, test } from "bun:test";
import { type AssistantMessage, type LanguageModel, openModel } from "@mdx-ai/models";
import { type AnthropicReply, answerEvents, type ReplyBlock, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { failureOf } from "../../support/model-failure.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

const open = (server: AnthropicServer): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment });

const wordy: readonly ReplyBlock[] = [
  { thinking: ["Let me ", "see…"], signature: "c2lnbmF0dXJl" },
  { thinking: [], signature: "b25seQ==" },
  { redacted: "ZW5jcnlwdGVk" },
  { text: ["Größe, ", "東京 🦊", ""] },
  { text: [] },
  { id: "toolu_1", name: "read_file", json: ['{"pa', 'th":"ä.md","deep":[{"a":null}]}'] },
  { id: "toolu_1", name: "list", json: [] },
];

/** What is the same of a message however it came. */
function lasting({ timestamp: _, latency, ...message }: AssistantMessage): unknown {
  expect(Number.isInteger(latency)).toBe(true);
  return message;
}

/** The same answer in both forms, each the message and its events. */
async function bothForms(reply: AnthropicReply): Promise<[AssistantMessage, AssistantMessage, string[]]> {
  using server = anthropicServer(reply, reply);
  const model = await open(server);
  const streamed = endOf(await eventsOf(model)).message;
  const events = await eventsOf(model, modelRequest("Hello", { stream: false }));
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
  return [streamed, endOf(events).message, told(events)];
}

describe("an answer that does not stream", () => {
  test.each([
    "end_turn",
    "stop_sequence",
    "tool_use",
    "max_tokens",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
  ])("is the very same message as one that does, to the byte, stopped for %s", async (stopReason) => {
    const usage = {
      output_tokens: 42,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 30,
      output_tokens_details: { thinking_tokens: 7 },
    };
    const [streamed, whole] = await bothForms({ events: answerEvents(wordy, { stopReason, usage }) });
    expect(JSON.stringify(lasting(whole))).toBe(JSON.stringify(lasting(streamed)));
    expect(whole.usage).toEqual({ input: 10, output: 42, cacheRead: 900, cacheWrite: 30, thinking: 7, total: 982 });
  });

  test("and a stream say why the model declined, as the provider explains it", async () => {
    const details = { type: "refusal", category: "cyber", explanation: "It may\nharm  others." };
    const events = answerEvents(wordy, { stopReason: "refusal" }).map((event) =>
      event["type"] === "message_delta"
        ? { ...event, delta: { stop_reason: "refusal", stop_details: details } }
        : event,
    );
    const [streamed, whole] = await bothForms({ events });
    const declined = { stopReason: "refusal", errorMessage: "The model declined to answer: It may harm others." };
    expect([streamed, whole]).toMatchObject([declined, declined]);
  });

  test("gives the events of a stream, one delta a block", async () => {
    const [, , events] = await bothForms({ events: answerEvents(wordy.slice(0, 4)) });
    expect(events).toEqual([
      "start",
      "thinking_start 0",
      "thinking_delta 0 Let me see…",
      "thinking_end 0",
      "thinking_start 1",
      "thinking_end 1",
      "thinking_start 2",
      "thinking_end 2",
      "text_start 3",
      "text_delta 3 Größe, 東京 🦊",
      "text_end 3",
      "done",
    ]);
  });

  test("arrives whole where it comes byte by byte", async () => {
    const events = answerEvents(wordy);
    const [streamed, whole] = await bothForms({ events, chunk: 7 });
    expect(lasting(whole)).toEqual(lasting(streamed));
  });

  test("is broken where it ends early", async () => {
    using server = anthropicServer({ events: answerEvents(wordy).slice(0, -1) });
    const events = await eventsOf(await open(server), modelRequest("Hello", { stream: false }));
    expect(failureOf(events).failure).toEqual({ kind: "unfinished", isTransient: true });
    expect(server.requests.length).toBe(1);
  });

  test("waits for an answer as long as configured", async () => {
    using server = anthropicServer({ ...textReply("late"), before: 600_000 });
    const model = await openModel("claude-test", { environment: server.environment, timeout: 0.2 });
    const events = await eventsOf(model, modelRequest("Hello", { stream: false }));
    expect(failureOf(events).failure).toEqual({ kind: "silence", isTransient: true });
  });
});

describe("a gateway", () => {
  test("may send a document where a stream was asked for", async () => {
    using server = anthropicServer({ events: answerEvents(wordy), form: "document" });
    expect(endOf(await eventsOf(await open(server)))).toMatchObject({
      type: "done",
      message: {
        stopReason: "toolUse",
        content: [{ type: "thinking" }, {}, {}, { text: "Größe, 東京 🦊" }, {}, {}, {}],
      },
    });
  });

  test("may stream where none was asked for", async () => {
    using server = anthropicServer({ ...textReply("Yes", "."), form: "stream" });
    const events = await eventsOf(await open(server), modelRequest("Hello", { stream: false }));
    expect(endOf(events)).toMatchObject({ type: "done", message: { content: [{ text: "Yes." }] } });
  });

  /** How an answer ends that is this document. */
  async function ends(document: string): ReturnType<typeof eventsOf> {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(document, { headers: { "content-type": "Application/JSON; charset=utf-8" } }),
    });
    const environment = { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.href };
    return await eventsOf(await openModel("claude-test", { environment }));
  }

  test.each(["{}", "[]", "null", '"Hello"', '{"content":"Hello"}', '{"status":"ok"}'])(
    "that sends %s sends no message, which is told",
    async (document) => {
      const { message, failure } = failureOf(await ends(document));
      expect(message).toContain("not a message");
      expect(failure).toEqual({ kind: "unreadable", isTransient: true });
    },
  );

  test("may hide a failure in a document", async () => {
    const error = { type: "overloaded_error", message: "Too much" };
    const events = await ends(JSON.stringify({ type: "error", error }));
    expect(failureOf(events).failure).toEqual({ kind: "overloaded_error", isTransient: true });
  });

  test("may send inputs that are no objects", async () => {
    const inputs = ['{"a":1}', "{a:1}", "", null, [1], 5, { a: 2 }];
    const content = inputs.map((input, place) => ({ type: "tool_use", id: `t${place}`, name: "a", input }));
    const events = await ends(`\uFEFF${JSON.stringify({ type: "message", content, stop_reason: "tool_use" })}`);
    expect(endOf(events).message.content).toEqual([
      { type: "toolCall", id: "t0", name: "a", arguments: { a: 1 } },
      { type: "toolCall", id: "t1", name: "a", arguments: {}, malformed: "{a:1}" },
      { type: "toolCall", id: "t2", name: "a", arguments: {} },
      { type: "toolCall", id: "t3", name: "a", arguments: {} },
      { type: "toolCall", id: "t4", name: "a", arguments: {}, malformed: "[1]" },
      { type: "toolCall", id: "t5", name: "a", arguments: {}, malformed: "5" },
      { type: "toolCall", id: "t6", name: "a", arguments: { a: 2 } },
    ]);
  });
});
