import { describe, expect, test } from "bun:test";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";
import {
  answerChunks,
  type Chunk,
  chunkOf,
  type OpenAiReply,
  type ReplyPart,
  textReply,
} from "../../support/openai-replies.ts";
import { type OpenAiServer, openAiServer } from "../../support/openai-server.ts";

const open = (server: OpenAiServer): Promise<LanguageModel> =>
  openModel("openai/llama", { environment: server.environment("openai") });

/** The events of one answer. */
async function answer(reply: OpenAiReply): ReturnType<typeof eventsOf> {
  using server = openAiServer(reply);
  return await eventsOf(await open(server));
}

/** Chunks of these deltas, then the end of an answer. */
function ended(deltas: readonly Chunk[], finish_reason = "stop"): OpenAiReply {
  return { chunks: [...deltas.map(chunkOf), { choices: [{ index: 0, delta: {}, finish_reason }] }] };
}

const call = (fields: Chunk, name?: string, json?: string): Chunk => ({
  tool_calls: [
    { ...fields, function: { ...(name !== undefined && { name }), ...(json !== undefined && { arguments: json }) } },
  ],
});

const parts: readonly ReplyPart[] = [
  { thinking: ["Let me ", "see."] },
  { text: ["I look ", "twice."] },
  { id: "call_1", name: "read_file", json: ['{"pa', 'th":', '"ä.md"}'] },
  { id: "call_2", name: "list", json: [] },
];
const usage = {
  prompt_tokens: 1000,
  completion_tokens: 42,
  total_tokens: 1042,
  prompt_tokens_details: { cached_tokens: 900 },
  completion_tokens_details: { reasoning_tokens: 7 },
};

describe("an answer of openai", () => {
  test("streams thinking, text and tool calls side by side, block by block", async () => {
    const events = await answer({ chunks: answerChunks(parts, { usage }) });
    expect(told(events)).toEqual([
      "start",
      "thinking_start 0",
      "thinking_delta 0 Let me see.",
      "thinking_end 0",
      "text_start 1",
      "text_delta 1 I look twice.",
      "text_end 1",
      "toolcall_start 2",
      'toolcall_delta 2 {"path":"ä.md"}',
      "toolcall_start 3",
      "toolcall_end 2",
      "toolcall_end 3",
      "done",
    ]);
    expect(endOf(events).message).toEqual({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Let me see.", signature: "reasoning_content" },
        { type: "text", text: "I look twice." },
        { type: "toolCall", id: "call_1", name: "read_file", arguments: { path: "ä.md" } },
        { type: "toolCall", id: "call_2", name: "list", arguments: {} },
      ],
      provider: "openai",
      model: "llama",
      responseModel: "test",
      usage: { input: 100, output: 42, cacheRead: 900, cacheWrite: 0, thinking: 7, total: 1042 },
      stopReason: "toolUse",
      latency: expect.any(Number),
      timestamp: expect.any(Number),
    });
  });

  test.each(["stream", "document"] as const)(
    "is the same message without a stream, also where a gateway sends a %s unasked",
    async (form) => {
      const whole = { chunks: answerChunks(parts, { usage }) };
      using server = openAiServer(whole, whole, { ...whole, form });
      const model = await open(server);
      const streamed = endOf(await eventsOf(model)).message;
      const events = await eventsOf(model, modelRequest("Hello", { stream: false }));
      const odd = await eventsOf(model, modelRequest("Hello", { stream: form === "document" }));
      const times = { latency: expect.any(Number), timestamp: expect.any(Number) };
      for (const end of [endOf(events), endOf(odd)]) expect<unknown>(end.message).toEqual({ ...streamed, ...times });
      expect(told(events)).toContain("text_delta 1 I look twice.");
      expect(server.requests.map(({ body }) => body)).toMatchObject([{ stream: true }, { stream: false }, {}]);
    },
  );

  test.each([
    ["stop", "stop"],
    ["tool_calls", "toolUse"],
    ["function_call", "toolUse"],
    ["length", "length"],
    ["model_length", "length"],
    ["content_filter", "refusal"],
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "refusal"],
    ["PROHIBITED_CONTENT", "refusal"],
    ["content_filter: RECITATION", "refusal"],
    ["never_heard_of", "stop"],
  ])("that stops for %s has the stop reason %s", async (finishReason, expected) => {
    const events = await answer({ chunks: answerChunks([{ text: ["a"] }], { finishReason }) });
    expect(endOf(events)).toMatchObject({ type: "done", message: { stopReason: expected } });
  });

  test("that refuses tells its words, with the stop reason refusal", async () => {
    expect(endOf(await answer({ chunks: answerChunks([{ refusal: ["I can", "not."] }]) }))).toMatchObject({
      type: "done",
      message: { stopReason: "refusal", content: [{ type: "text", text: "I cannot." }] },
    });
  });

  test("that calls tools but says stop has the stop reason toolUse", async () => {
    const chunks = answerChunks([{ id: "1", name: "a", json: [] }], { finishReason: "stop" });
    expect(endOf(await answer({ chunks })).message.stopReason).toBe("toolUse");
  });

  test("that reaches its limit inside a tool call passes the half call on as malformed, with stop reason length", async () => {
    const chunks = answerChunks([{ id: "1", name: "a", json: ['{"path":"a","cont'] }], { finishReason: "length" });
    expect(endOf(await answer({ chunks }))).toMatchObject({
      type: "done",
      message: { stopReason: "length", content: [{ id: "1", arguments: {}, malformed: '{"path":"a","cont' }] },
    });
  });

  test("keeps the text of arguments that are no JSON object, and takes no text as an empty one", async () => {
    const chunks = answerChunks([
      { id: "1", name: "a", json: ["{path: 1}"] },
      { id: "2", name: "b", json: ["[1]"] },
      { id: "3", name: "c", json: [""] },
    ]);
    expect(endOf(await answer({ chunks })).message.content).toEqual([
      { type: "toolCall", id: "1", name: "a", arguments: {}, malformed: "{path: 1}" },
      { type: "toolCall", id: "2", name: "b", arguments: {}, malformed: "[1]" },
      { type: "toolCall", id: "3", name: "c", arguments: {} },
    ]);
  });

  test.each(["reasoning_content", "reasoning", "reasoning_text"] as const)("takes thinking from %s", async (field) => {
    const chunks = answerChunks([{ thinking: ["Hm", "m."], field }, { text: ["Yes."] }]);
    expect(endOf(await answer({ chunks })).message.content).toEqual([
      { type: "thinking", thinking: "Hmm.", signature: field },
      { type: "text", text: "Yes." },
    ]);
  });

  test("takes thinking once where a server sends it under two names", async () => {
    const events = await answer(ended([{ reasoning: "Hm.", reasoning_content: "Hm." }, { content: "Yes." }]));
    expect(endOf(events).message.content).toMatchObject([{ thinking: "Hm." }, { text: "Yes." }]);
  });

  test("takes content that is a list of texts and thinking, as Mistral sends it", async () => {
    const thinking = [{ type: "text", text: "Hm." }];
    const events = await answer(
      ended([
        {
          content: [
            { type: "thinking", thinking },
            { type: "text", text: "Yes." },
          ],
        },
      ]),
    );
    expect(endOf(events).message.content).toMatchObject([{ thinking: "Hm." }, { text: "Yes." }]);
  });

  test("passes over comments, unknown fields, other choices and odd values", async () => {
    const events = await answer({
      chunks: [
        { choices: [], prompt_filter_results: [{}] },
        { choices: null },
        { choices: [null, 5] },
        { choices: [{ index: 1, delta: { content: "lost" }, finish_reason: "length" }] },
        ...[{ content: null }, { content: 5 }, { hologram: "lost" }, { tool_calls: "lost" }, { content: "kept" }].map(
          chunkOf,
        ),
        { choices: [{ delta: null, finish_reason: "stop" }], usage: null, service_tier: "x" },
      ],
    });
    expect(told(events)).toEqual(["start", "text_start 0", "text_delta 0 kept", "text_end 0", "done"]);
  });

  test("is over at its usage, even if the connection stays open, and whole without [DONE]", async () => {
    const chunks = answerChunks([{ text: ["a"] }]);
    expect(endOf(await answer({ chunks, done: false, end: "hang" })).message.usage).toMatchObject({
      input: 10,
      output: 5,
    });
    expect(
      endOf(await answer({ chunks: answerChunks([{ text: ["a"] }], { usageIn: "last chunk" }), done: false })).type,
    ).toBe("done");
  });

  test("without any content is a message without content", async () => {
    expect(endOf(await answer(ended([])))).toMatchObject({
      type: "done",
      message: { content: [], stopReason: "stop" },
    });
  });

  test("arrives whole although each of its bytes comes alone", async () => {
    const text = "Grüße aus 東京 🦊!";
    const chunks = answerChunks([{ text: [text] }, { id: "1", name: "echo", json: [JSON.stringify({ text })] }]);
    expect(endOf(await answer({ chunks, chunk: 1 })).message.content).toMatchObject([
      { text },
      { arguments: { text } },
    ]);
  });

  test("of a megabyte arrives whole", async () => {
    const text = "Größe 🦊\n".repeat(100_000);
    const [block] = endOf(await answer(textReply(text))).message.content;
    expect(block?.type === "text" && block.text === text).toBe(true);
  });
});

describe("calls that arrive side by side", () => {
  const one = { id: "1", name: "a", arguments: { x: 1 } };
  const two = { id: "2", name: "b", arguments: { y: 2 } };

  test.each<{ title: string; deltas: readonly Chunk[]; calls: readonly unknown[] }>([
    {
      title: "mixed, by their index",
      deltas: [
        call({ index: 0, id: "1" }, "a"),
        call({ index: 1, id: "2" }, "b"),
        call({ index: 1 }, undefined, '{"y":'),
        call({ index: 0 }, undefined, '{"x":1}'),
        call({ index: 1 }, undefined, "2}"),
      ],
      calls: [one, two],
    },
    {
      title: "under one index, by their ids",
      deltas: [
        call({ index: 0, id: "1" }, "a", '{"x":1}'),
        call({ index: 0, id: "2" }, "b", '{"y":'),
        call({ index: 0 }, undefined, "2}"),
      ],
      calls: [one, two],
    },
    {
      title: "without an index, by their ids",
      deltas: [call({ id: "1" }, "a", '{"x":'), call({ id: "2" }, "b", '{"y":2}'), call({ id: "1" }, "a", "1}")],
      calls: [one, two],
    },
    {
      title: "without index and id, by their names",
      deltas: [call({}, "a", '{"x":'), call({}, undefined, "1}"), call({}, "b", '{"y":2}')],
      calls: [
        { ...one, id: "call" },
        { ...two, id: "call_2" },
      ],
    },
    {
      title: "with an id that comes after the first piece",
      deltas: [call({ index: 0 }, undefined, '{"x":'), call({ index: 0, id: "1" }, "a", "1}")],
      calls: [one],
    },
    {
      title: "with an index that comes with the first piece alone",
      deltas: [
        call({ index: 0, id: "1" }, "a", '{"x":'),
        call({ index: 1, id: "2" }, "b", '{"y":2}'),
        call({ id: "1" }, undefined, "1}"),
      ],
      calls: [one, two],
    },
    {
      title: "whole, under one index and without ids, by their names",
      deltas: [call({ index: 0, id: "" }, "a", '{"x":1}'), call({ index: 0, id: "" }, "b", '{"y":2}')],
      calls: [
        { ...one, id: "call" },
        { ...two, id: "call_2" },
      ],
    },
    {
      title: "without ids, with a name that each delta repeats",
      deltas: [call({ index: 0 }, "a", '{"x":'), call({ index: 0 }, "a", "1}")],
      calls: [{ ...one, id: "call" }],
    },
    {
      title: "with an id and a name that each delta repeats",
      deltas: [call({ index: 0, id: "1" }, "a", '{"x":'), call({ index: 0, id: "1" }, "a", "1}")],
      calls: [one],
    },
    {
      title: "with a name that comes after the first arguments",
      deltas: [call({ index: 0, id: "1" }, undefined, '{"x"'), call({ index: 0 }, "a", ":1}")],
      calls: [one],
    },
    {
      title: "with arguments that are an object already",
      deltas: [{ tool_calls: [{ index: 0, id: "1", function: { name: "a", arguments: { x: 1 } } }] }],
      calls: [one],
    },
    {
      title: "two of which share an id",
      deltas: [call({ index: 0, id: "1" }, "a", '{"x":1}'), call({ index: 1, id: "1" }, "b", '{"y":2}')],
      calls: [one, { ...two, id: "1_2" }],
    },
    {
      title: "one of which has no name",
      deltas: [call({ index: 0, id: "1" }, undefined, '{"x":1}')],
      calls: [{ ...one, name: "" }],
    },
    {
      title: "in the form of old",
      deltas: [{ function_call: { name: "a", arguments: '{"x":' } }, { function_call: { arguments: "1}" } }],
      calls: [{ ...one, id: "call" }],
    },
  ])("$title, are distinguished", async ({ deltas, calls }) => {
    const { message } = endOf(await answer(ended(deltas, "tool_calls")));
    expect(message.content).toEqual(calls.map((fields) => ({ type: "toolCall", ...Object(fields) })));
    expect(message.stopReason).toBe("toolUse");
  });
});

describe("usage", () => {
  test.each([
    {
      vendor: "openai",
      usage,
      counts: { input: 100, output: 42, cacheRead: 900, cacheWrite: 0, thinking: 7, total: 1042 },
    },
    {
      vendor: "deepseek",
      usage: {
        prompt_tokens: 100,
        completion_tokens: 9,
        total_tokens: 109,
        prompt_cache_hit_tokens: 64,
        prompt_cache_miss_tokens: 36,
      },
      counts: { input: 36, output: 9, cacheRead: 64, cacheWrite: 0, thinking: 0, total: 109 },
    },
    {
      vendor: "xai, which counts thinking apart",
      usage: {
        prompt_tokens: 10,
        completion_tokens: 50,
        total_tokens: 160,
        completion_tokens_details: { reasoning_tokens: 100 },
      },
      counts: { input: 10, output: 150, cacheRead: 0, cacheWrite: 0, thinking: 100, total: 160 },
    },
    {
      vendor: "gemini, where the total alone tells of thinking",
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 95 },
      counts: { input: 10, output: 85, cacheRead: 0, cacheWrite: 0, thinking: 80, total: 95 },
    },
    {
      vendor: "openrouter, which tells of writes to the cache",
      usage: {
        prompt_tokens: 100,
        completion_tokens: 5,
        total_tokens: 105,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
      },
      counts: { input: 10, output: 5, cacheRead: 60, cacheWrite: 30, thinking: 0, total: 105 },
    },
    {
      vendor: "a server that counts nonsense",
      usage: {
        prompt_tokens: 1.5,
        completion_tokens: 7,
        total_tokens: -1,
        prompt_tokens_details: { cached_tokens: "9" },
      },
      counts: { input: 0, output: 7, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 7 },
    },
  ])("as counted by $vendor is reported in the same form", async ({ usage: wire, counts }) => {
    const chunks = answerChunks([{ text: ["a"] }], { usage: wire });
    expect(endOf(await answer({ chunks })).message.usage).toEqual(counts);
  });

  test.each([
    {
      title: "with each chunk",
      chunks: [{ choices: [{ delta: { content: "a" } }], usage: { prompt_tokens: 3, completion_tokens: 1 } }],
    },
    {
      title: "in its choice",
      chunks: [{ choices: [{ delta: {}, usage: { prompt_tokens: 3, completion_tokens: 1 } }] }],
    },
    {
      title: "in a field of groq's",
      chunks: [{ choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 1 } } }],
    },
  ])("that comes $title counts", async ({ chunks }) => {
    const reply = { chunks: [...chunks, { choices: [{ delta: {}, finish_reason: "stop" }] }] };
    expect(endOf(await answer(reply)).message.usage).toMatchObject({ input: 3, output: 1 });
  });
});
