import { expect, test } from "bun:test";
import { type AssistantMessage, fromAiSdk, type StopReason } from "@mdx-ai/models";
import { aiSdkProvider, finishPart, type ProviderAnswer, textParts } from "../../support/ai-sdk-provider.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

/** How one answer ended. */
async function answerTo(answer: ProviderAnswer, version = "v4", stream = true) {
  return endOf(await eventsOf(fromAiSdk(aiSdkProvider([answer], version)), modelRequest("Hello", { stream })));
}

async function contentOf(parts: readonly unknown[]): Promise<AssistantMessage["content"]> {
  return (await answerTo({ parts })).message.content;
}

const call = (toolCallId: string, input: unknown, more: object = {}): unknown => ({
  type: "tool-call",
  toolCallId,
  toolName: "look",
  input,
  ...more,
});

test("text, thoughts and the input of calls are reported as they arrive", async () => {
  const parts = [
    { type: "stream-start", warnings: [] },
    { type: "response-metadata", id: "r1" },
    { type: "reasoning-start", id: "0" },
    { type: "reasoning-delta", id: "0", delta: "Hm" },
    { type: "reasoning-end", id: "0" },
    ...textParts("0", "Loo", "k"),
    { type: "tool-input-start", id: "c1", toolName: "look" },
    { type: "tool-input-delta", id: "c1", delta: '{"at":' },
    { type: "tool-input-delta", id: "c1", delta: '"sea"}' },
    { type: "tool-input-end", id: "c1" },
    call("c1", '{"at":"sea"}'),
    finishPart("tool-calls"),
  ];
  const events = await eventsOf(fromAiSdk(aiSdkProvider([{ parts }])));
  expect(told(events)).toEqual([
    "start",
    "thinking_start 0",
    "thinking_delta 0 Hm",
    "thinking_end 0",
    "text_start 1",
    "text_delta 1 Loo",
    "text_delta 1 k",
    "text_end 1",
    "toolcall_start 2",
    'toolcall_delta 2 {"at":',
    'toolcall_delta 2 "sea"}',
    "toolcall_end 2",
    "done",
  ]);
  expect(endOf(events).message).toMatchObject({
    provider: "ai-sdk:hand.written",
    model: "model-1",
    stopReason: "toolUse",
    content: [
      { type: "thinking", thinking: "Hm" },
      { type: "text", text: "Look" },
      { type: "toolCall", id: "c1", name: "look", arguments: { at: "sea" } },
    ],
  });
});

test("a document gives the message that the stream of it gives", async () => {
  const metadata = { hand: { signature: "s1" } };
  const streamed = await answerTo({
    parts: [
      { type: "reasoning-start", id: "0", providerMetadata: metadata },
      { type: "reasoning-delta", id: "0", delta: "Hm" },
      { type: "reasoning-end", id: "0" },
      ...textParts("1", "Look"),
      call("c1", "{}", { providerMetadata: metadata }),
      finishPart("tool-calls", "tool_use"),
    ],
  });
  const finish = Object(finishPart("tool-calls", "tool_use"));
  const content = [
    { type: "reasoning", text: "Hm", providerMetadata: metadata },
    { type: "text", text: "Look" },
    { type: "source", sourceType: "url" },
    call("c1", "{}", { providerMetadata: metadata }),
  ];
  const whole = await answerTo({ document: { ...finish, content, warnings: [] } }, "v4", false);
  expect(whole.message.content).toEqual(streamed.message.content);
  expect(whole.message.stopReason).toBe(streamed.message.stopReason);
});

test.each([true, false])("the model that answered is named, streamed: %p", async (stream) => {
  const parts = [{ type: "response-metadata", modelId: "model-1-2026" }, ...textParts("0", "Hi"), finishPart()];
  const document = { ...Object(finishPart()), content: [], response: { modelId: "model-1-2026" } };
  const { message } = await answerTo({ parts, document }, "v4", stream);
  expect(message).toMatchObject({ model: "model-1", responseModel: "model-1-2026", stopReason: "stop" });
});

const finishReasons: readonly (readonly [string, string, StopReason])[] = [
  ["stop", "stop", "stop"],
  ["length", "max_tokens", "length"],
  ["content-filter", "content_filter", "refusal"],
  ["tool-calls", "tool_calls", "toolUse"],
  ["other", "eos", "stop"],
  ["stop", "pause_turn", "pause"],
  ["length", "model_context_window_exceeded", "contextExceeded"],
  ["content-filter", "refusal", "refusal"],
];

test.each(finishReasons)("the finish reason %s of %s is %s", async (unified, raw, stopReason) => {
  const parts = [...textParts("0", "Well"), finishPart(unified, raw)];
  expect((await answerTo({ parts })).message.stopReason).toBe(stopReason);
});

test.each([
  ["no part at all", []],
  ["text and no finish", textParts("0", "Wel")],
  ["a finish that tells of an interruption", [...textParts("0", "Wel"), finishPart("interrupted", undefined)]],
  ["a finish without any reason", [...textParts("0", "Wel"), { type: "finish", finishReason: { unified: "other" } }]],
  [
    "a finish of version 2 that knows of no reason",
    [...textParts("0", "Wel"), { type: "finish", finishReason: "unknown" }],
  ],
  [
    "a call that was begun and never made",
    [{ type: "tool-input-start", id: "c", toolName: "look" }, finishPart("tool-calls")],
  ],
])("an answer of %s is broken, and another attempt may go well", async (_what, parts) => {
  const end = await answerTo({ parts });
  expect(end.message).toMatchObject({ stopReason: "error", failure: { kind: "unfinished", isTransient: true } });
});

test("a finish reason of version 2 is a word, and a whole answer may be without one", async () => {
  const parts = [...textParts("0", "Well"), { type: "finish", finishReason: "stop", usage: {} }];
  expect((await answerTo({ parts }, "v2")).message.stopReason).toBe("stop");
  const document = { content: [{ type: "text", text: "Well" }], finishReason: "unknown" };
  expect((await answerTo({ document }, "v2", false)).message).toMatchObject({
    stopReason: "stop",
    content: [{ type: "text", text: "Well" }],
  });
});

test("an answer that calls tools requests them, with any stop reason", async () => {
  expect((await answerTo({ parts: [call("c1", "{}"), finishPart("stop")] })).message.stopReason).toBe("toolUse");
});

test.each([
  ["text that is no JSON", '{"at":', { arguments: {}, malformed: '{"at":' }],
  ["a list", "[1]", { arguments: {}, malformed: "[1]" }],
  ["nothing", "", { arguments: {} }],
  ["no field at all", undefined, { arguments: {} }],
  ["an object in place of its text", { at: "sea" }, { arguments: { at: "sea" } }],
])("input that is %s is taken as what it is", async (_what, input, expected) => {
  const [block] = await contentOf([call("c1", input), finishPart("tool-calls")]);
  expect(block).toEqual({ type: "toolCall", id: "c1", name: "look", ...expected });
});

test("input that was streamed in part is completed by the call", async () => {
  const parts = [
    { type: "tool-input-start", id: "c1", toolName: "look" },
    { type: "tool-input-delta", id: "c1", delta: '{"at"' },
    call("c1", '{"at":"sea"}'),
    finishPart("tool-calls"),
  ];
  expect(await contentOf(parts)).toMatchObject([{ arguments: { at: "sea" } }]);
});

test("input that the output limit cut off does not run", async () => {
  const parts = [
    { type: "tool-input-start", id: "c1", toolName: "look" },
    { type: "tool-input-delta", id: "c1", delta: '{"at"' },
    finishPart("length"),
  ];
  expect((await answerTo({ parts })).message).toMatchObject({
    stopReason: "length",
    content: [{ malformed: '{"at"' }],
  });
});

test("calls with the same id are distinguished", async () => {
  const content = await contentOf([call("c", '{"at":"a"}'), call("c", '{"at":"b"}'), finishPart("tool-calls")]);
  expect(content).toMatchObject([
    { id: "c", arguments: { at: "a" } },
    { id: "c_2", arguments: { at: "b" } },
  ]);
});

test("what the provider runs itself is its own affair", async () => {
  const parts = [
    { type: "tool-input-start", id: "s1", toolName: "search", providerExecuted: true },
    { type: "tool-input-delta", id: "s1", delta: "{}" },
    { type: "tool-input-end", id: "s1" },
    call("s1", "{}", { providerExecuted: true }),
    { type: "tool-result", toolCallId: "s1", toolName: "search", result: {} },
    ...textParts("0", "Found"),
    finishPart("stop"),
  ];
  expect((await answerTo({ parts })).message).toMatchObject({ stopReason: "stop", content: [{ text: "Found" }] });
});

test("parts that are not known, or no parts at all, pass by", async () => {
  const odd = [
    null,
    "text",
    7,
    [],
    {},
    { type: "ping" },
    { type: "raw", rawValue: {} },
    { type: "custom", kind: "a.b" },
    { type: "file", mediaType: "image/png", data: { type: "data", data: "" } },
    { type: "reasoning-file" },
    { type: "source", sourceType: "url", id: "1", url: "https://example.com" },
    { type: "tool-approval-request", approvalId: "a", toolCallId: "c" },
    { type: "text-end", id: "never opened" },
    { type: "tool-input-delta", id: "never opened", delta: "{}" },
    { type: "text-delta" },
  ];
  const content = await contentOf([...odd, ...textParts("0", "Well"), finishPart()]);
  expect(content.map((block) => (block.type === "text" ? block.text : block.type))).toEqual(["", "Well"]);
});

test("text whose start and end were left out arrives", async () => {
  const parts = [
    { type: "text-delta", id: "0", delta: "We" },
    { type: "text-delta", id: "0", delta: "ll" },
    finishPart(),
  ];
  expect(await contentOf(parts)).toEqual([{ type: "text", text: "Well" }]);
});

test("the usage of each version is counted, without the cached part in the input", async () => {
  const usage = {
    inputTokens: { total: 100, noCache: 20, cacheRead: 70, cacheWrite: 10 },
    outputTokens: { total: 50, text: 30, reasoning: 20 },
  };
  const parts = [...textParts("0", "Well"), finishPart("stop", "stop", usage)];
  expect((await answerTo({ parts })).message.usage).toEqual({
    input: 20,
    output: 50,
    cacheRead: 70,
    cacheWrite: 10,
    thinking: 20,
    total: 150,
  });
  const flat = { inputTokens: 100, outputTokens: 50, totalTokens: 150, reasoningTokens: 20, cachedInputTokens: 70 };
  const old = [...textParts("0", "Well"), { type: "finish", finishReason: "stop", usage: flat }];
  expect((await answerTo({ parts: old }, "v2")).message.usage).toEqual({
    input: 30,
    output: 50,
    cacheRead: 70,
    cacheWrite: 0,
    thinking: 20,
    total: 150,
  });
});

test("counts that are none give way to an estimate", async () => {
  const usage = { inputTokens: { total: Number.NaN, cacheRead: -1 }, outputTokens: { total: "9", reasoning: 0.5 } };
  const { message } = await answerTo({ parts: [...textParts("0", "Well"), finishPart("stop", "stop", usage)] });
  expect(message.usage).toMatchObject({ output: 1, cacheRead: 0, estimated: true });
});

test("an answer without end ends in an error", async () => {
  const delta = "x".repeat(8 * 1024 * 1024);
  const parts = Array.from({ length: 20 }, () => ({ type: "text-delta", id: "0", delta }));
  const end = await answerTo({ parts, hangs: true });
  expect(end.message).toMatchObject({ stopReason: "error", failure: { kind: "too_long", isTransient: false } });
});

test.each(["v1", "v5", "undefined"])("a model of version %s is refused", (version) => {
  expect(() => fromAiSdk(aiSdkProvider([], version))).toThrow(/v2, v3, v4 are supported/);
});

test("what is no model is refused", () => {
  expect(() => fromAiSdk(Object({ specificationVersion: "v4" }))).toThrow("not a language model of the AI SDK");
});

test.each([
  ["no stream", {}],
  ["no document", { stream: false }],
])("a provider that gives %s costs one answer", async (_what, rest) => {
  const model = fromAiSdk({ ...aiSdkProvider([{}]), doStream: async () => ({}), doGenerate: async () => "no" });
  expect(endOf(await eventsOf(model, modelRequest("Hello", rest))).message).toMatchObject({
    stopReason: "error",
    failure: { kind: "unreadable", isTransient: true },
  });
});
