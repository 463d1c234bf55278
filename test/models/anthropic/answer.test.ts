import { describe, expect, test } from "bun:test";
import { type LanguageModel, type ModelEvent, openModel } from "@mdx-ai/models";
import { answerEvents, type StreamEvent, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer, streamBytes } from "../../support/anthropic-server.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

const open = (server: AnthropicServer): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment });

/** The events of one answer of so many wire events. */
async function answer(events: readonly StreamEvent[]): ReturnType<typeof eventsOf> {
  using server = anthropicServer({ events });
  return await eventsOf(await open(server));
}

describe("an answer of anthropic", () => {
  test.each<[string, string | undefined]>([
    ["claude-test-20260101", "claude-test-20260101"],
    ["claude-test", undefined],
    ["", undefined],
  ])("names the model that answered if it is not the one that was asked: %p", async (model, expected) => {
    const [start, ...rest] = answerEvents([{ text: ["Hi"] }]);
    const message = { ...Object(start?.["message"]), model };
    const events = await answer([{ type: "message_start", message }, ...rest]);
    expect(endOf(events).message).toMatchObject({ model: "claude-test", stopReason: "stop" });
    expect(endOf(events).message.responseModel).toBe(expected);
  });

  test("streams text, thinking and tool calls side by side, block by block", async () => {
    const events = await answer(
      answerEvents(
        [
          { thinking: ["Let me ", "see."], signature: "c2lnbmF0dXJl" },
          { redacted: "ZW5jcnlwdGVk" },
          { text: ["I look ", "twice."] },
          { id: "toolu_1", name: "read_file", json: ['{"pa', 'th":', '"ä.md"}'] },
          { id: "toolu_2", name: "list", json: [] },
        ],
        { usage: { output_tokens: 42, output_tokens_details: { thinking_tokens: 7 } } },
      ),
    );
    expect(told(events)).toEqual([
      "start",
      "thinking_start 0",
      "thinking_delta 0 Let me see.",
      "thinking_end 0",
      "thinking_start 1",
      "thinking_end 1",
      "text_start 2",
      "text_delta 2 I look twice.",
      "text_end 2",
      "toolcall_start 3",
      'toolcall_delta 3 {"path":"ä.md"}',
      "toolcall_end 3",
      "toolcall_start 4",
      "toolcall_end 4",
      "done",
    ]);
    expect(endOf(events).message).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Let me see.", signature: "c2lnbmF0dXJl" },
        { type: "thinking", thinking: "", redacted: "ZW5jcnlwdGVk" },
        { type: "text", text: "I look twice." },
        { type: "toolCall", id: "toolu_1", name: "read_file", arguments: { path: "ä.md" } },
        { type: "toolCall", id: "toolu_2", name: "list", arguments: {} },
      ],
      provider: "anthropic",
      model: "claude-test",
      usage: { input: 10, output: 42, cacheRead: 0, cacheWrite: 0, thinking: 7, total: 52 },
      stopReason: "toolUse",
      latency: expect.any(Number),
      timestamp: expect.any(Number),
    });
  });

  test("counts usage cumulatively, caches included, and keeps what a later event does not say", async () => {
    const usage = { input_tokens: 12, cache_read_input_tokens: 900, cache_creation_input_tokens: 30, output_tokens: 8 };
    const events = answerEvents([{ text: ["a"] }], { usage });
    const message = { usage: { input_tokens: 3, cache_read_input_tokens: 800, output_tokens: 1 } };
    const parts = [
      { type: "message_start", message },
      ...events.slice(1, -1),
      { type: "message_delta", delta: {}, usage: { output_tokens: 9 } },
    ];
    expect(endOf(await answer([...parts, { type: "message_stop" }])).message.usage).toEqual({
      input: 12,
      output: 9,
      cacheRead: 900,
      cacheWrite: 30,
      thinking: 0,
      total: 951,
    });
  });

  test("counts nothing that is no whole number, which a journal could not keep", async () => {
    const usage = { input_tokens: 1.5, cache_read_input_tokens: -1, output_tokens: 999 };
    const bytes = streamBytes(answerEvents([{ text: ["a"] }], { usage }));
    const text = new TextDecoder().decode(bytes).replace(":999", ":1e999");
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(text, { headers: { "content-type": "Text/Event-Stream" } }),
    });
    const environment = { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.href };
    const { message } = endOf(await eventsOf(await openModel("claude-test", { environment })));
    expect(message.usage).toEqual({ input: 10, output: 1, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 11 });
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["tool_use", "toolUse"],
    ["max_tokens", "length"],
    ["pause_turn", "pause"],
    ["refusal", "refusal"],
    ["model_context_window_exceeded", "contextExceeded"],
    ["never_heard_of", "stop"],
  ])("that stops for %s has the stop reason %s", async (stopReason, expected) => {
    const events = await answer(answerEvents([{ text: ["a"] }], { stopReason }));
    expect(endOf(events)).toMatchObject({ type: "done", message: { stopReason: expected } });
  });

  test("that reaches max_tokens inside a tool call passes the half call on as malformed, with stop reason length", async () => {
    const events = answerEvents([{ id: "t1", name: "write_file", json: ['{"path":"a","cont'] }], {
      stopReason: "max_tokens",
    });
    expect(endOf(await answer(events))).toMatchObject({
      type: "done",
      message: {
        stopReason: "length",
        content: [{ type: "toolCall", id: "t1", arguments: {}, malformed: '{"path":"a","cont' }],
      },
    });
  });

  test("keeps the text of arguments that are no JSON object", async () => {
    const events = answerEvents([
      { id: "t1", name: "a", json: ["{path: 1}"] },
      { id: "t2", name: "b", json: ["[1]"] },
    ]);
    expect(endOf(await answer(events)).message.content).toMatchObject([
      { arguments: {}, malformed: "{path: 1}" },
      { arguments: {}, malformed: "[1]" },
    ]);
  });

  test("takes an input that comes with the start of its block, as some servers send it", async () => {
    const block = { type: "tool_use", id: "t1", name: "a", input: { path: "b" } };
    const inside = [
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_stop", index: 0 },
    ];
    const text = { type: "content_block_start", index: 1, content_block: { type: "text", text: "At once." } };
    const [start = { type: "" }, ...rest] = answerEvents([]);
    expect(endOf(await answer([start, ...inside, text, ...rest])).message.content).toEqual([
      { type: "toolCall", id: "t1", name: "a", arguments: { path: "b" } },
      { type: "text", text: "At once." },
    ]);
  });

  test("passes over pings, unknown events, unknown blocks, unknown deltas and citations", async () => {
    const strange = [
      { type: "ping" },
      { type: "weather_report", index: 0, text: "sunny" },
      { type: "content_block_start", index: 0, content_block: { type: "hologram", text: "x" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lost" } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_delta", index: 9, delta: { type: "text_delta", text: "lost" } },
      { type: "content_block_stop", index: 9 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "citations_delta", citation: {} } },
      { type: "content_block_delta", index: 1, delta: { type: "hologram_delta", text: "lost" } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: "lost" } },
      { type: "content_block_delta", index: 1, delta: null },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: 5 } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "kept" } },
      { type: "content_block_stop", index: 1 },
    ];
    const [start = { type: "" }, ...rest] = answerEvents([]);
    const events = await answer([start, ...strange, ...rest]);
    expect(told(events)).toEqual(["start", "text_start 0", "text_delta 0 kept", "text_end 0", "done"]);
  });

  test("without any block is a message without content", async () => {
    expect(endOf(await answer(answerEvents([])))).toMatchObject({
      type: "done",
      message: { content: [], stopReason: "stop" },
    });
  });

  test("tells deltas of one network chunk as one event, and later ones when they come", async () => {
    const deltas = Array.from({ length: 500 }, (_, number) => `${number} `);
    const { promise: pause, resolve: sendRest } = Promise.withResolvers<void>();
    using server = anthropicServer(textReply(...deltas), { ...textReply(...deltas), chunk: 4000, pause });
    const model = await open(server);
    const isDelta = (line: string): boolean => line.startsWith("text_delta");
    const together = told(await eventsOf(model));
    expect(together.filter(isDelta).length).toBeLessThan(10);
    const events: ModelEvent[] = [];
    for await (const event of model.stream(modelRequest("Hello"), new AbortController().signal)) {
      events.push(event);
      if (event.type === "text_delta") sendRest();
    }
    const apart = told(events);
    expect(apart.filter(isDelta).length).toBeGreaterThan(1);
    const textOf = (lines: readonly string[]): string =>
      lines
        .filter(isDelta)
        .map((line) => line.slice("text_delta 0 ".length))
        .join("");
    expect(textOf(together)).toBe(deltas.join(""));
    expect(textOf(apart)).toBe(deltas.join(""));
  });

  test("of a megabyte arrives whole", async () => {
    const text = "Größe 🦊\n".repeat(100_000);
    const events = answerEvents([{ text: [text] }, { id: "t", name: "write_file", json: [JSON.stringify({ text })] }]);
    const [block, call] = endOf(await answer(events)).message.content;
    expect(block?.type === "text" && block.text === text).toBe(true);
    expect(call?.type === "toolCall" && call.arguments["text"] === text).toBe(true);
  });

  test("is over at its last event, even if the connection stays open", async () => {
    using server = anthropicServer({ events: answerEvents([{ text: ["a"] }]), end: "hang" });
    expect(endOf(await eventsOf(await open(server))).type).toBe("done");
  });

  test("leaves its connection to the next request", async () => {
    using server = anthropicServer(
      ...Array.from({ length: 5 }, () => ({ events: answerEvents([{ text: ["a"] }]), pause: 5 })),
    );
    const model = await open(server);
    for (let turn = 0; turn < 5; turn++) {
      await eventsOf(model);
      await Bun.sleep(30);
    }
    expect(new Set(server.requests.map(({ connection }) => connection)).size).toBe(1);
  });
});
