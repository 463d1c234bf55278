import { expect, test } from "bun:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { fromAiSdk, type LanguageModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, toolResult, toolSchema, userMessage } from "../../support/model-request.ts";
import {
  answerChunks,
  failureReply,
  type OpenAiReply,
  type ReplyPart,
  textReply,
} from "../../support/openai-replies.ts";
import { type OpenAiServer, openAiServer, testKey } from "../../support/openai-server.ts";

function modelOf(server: OpenAiServer, vendor: "openai" | "gemini" = "openai"): LanguageModel {
  const { [`${vendor.toUpperCase()}_BASE_URL`]: baseURL = "" } = server.environment(vendor);
  const provider = createOpenAICompatible({ name: vendor, apiKey: testKey, baseURL, includeUsage: true });
  return fromAiSdk(provider("test-1"));
}

const look = toolSchema("look", "Looks", { at: "string" });

test.each([
  ["streams", {}],
  ["comes as a document", { stream: false }],
])("an answer with parallel calls %s, and the calls are answered", async (_how, rest) => {
  const turn: readonly ReplyPart[] = [
    { text: ["I look — ", "zwei Mal 🌊"] },
    { id: "call_1", name: "look", json: ['{"at":', '"sea"}'] },
    { id: "call_2", name: "look", json: ['{"at":"sky"}'] },
  ];
  const usage = {
    prompt_tokens: 100,
    completion_tokens: 50,
    total_tokens: 150,
    prompt_tokens_details: { cached_tokens: 60 },
    completion_tokens_details: { reasoning_tokens: 20 },
  };
  using server = openAiServer({ chunks: answerChunks(turn, { usage }), chunk: 1 }, textReply("Calm."));
  const model = modelOf(server);
  const { message } = endOf(await eventsOf(model, modelRequest("Look", { tools: [look], ...rest })));
  expect(message).toMatchObject({
    stopReason: "toolUse",
    usage: { input: 40, cacheRead: 60, output: 50, thinking: 20 },
    content: [
      { type: "text", text: "I look — zwei Mal 🌊" },
      { type: "toolCall", id: "call_1", arguments: { at: "sea" } },
      { type: "toolCall", id: "call_2", arguments: { at: "sky" } },
    ],
  });
  const history = [
    userMessage("Look"),
    message,
    toolResult("call_2", "blue"),
    toolResult("call_1", "fog", { isError: true }),
  ];
  expect(endOf(await eventsOf(model, modelRequest(history, { tools: [look], ...rest }))).message.stopReason).toBe(
    "stop",
  );
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
});

test("a thought signature of a call goes back, after a reload too", async () => {
  const extra = { google: { thought_signature: "Ck8BVKhc+/==" } };
  using server = openAiServer(
    { chunks: answerChunks([{ id: "call_1", name: "look", json: ['{"at":"sea"}'], extra }]) },
    textReply("Calm."),
  );
  const model = modelOf(server, "gemini");
  const { message } = endOf(await eventsOf(model, modelRequest("Look", { tools: [look] })));
  const reloaded: typeof message = JSON.parse(JSON.stringify(message));
  const history = [userMessage("Look"), reloaded, toolResult("call_1", "fog")];
  expect(endOf(await eventsOf(model, modelRequest(history, { tools: [look] }))).message.stopReason).toBe("stop");
  expect(server.requests[1]?.text).toContain("Ck8BVKhc+/==");
});

const chunks = answerChunks([{ text: ["Wel", "l"] }]);

test.each<[string, OpenAiReply, object]>([
  ["status 429", failureReply(429, "tokens"), { status: 429, isTransient: true }],
  [
    "a quota that is used up",
    failureReply(429, "insufficient_quota", { code: "insufficient_quota" }),
    { status: 429, isTransient: false },
  ],
  ["status 503", failureReply(503, "server_error"), { status: 503, isTransient: true }],
  ["a stream that ends in the middle", { chunks: chunks.slice(0, 2), done: false }, { isTransient: true }],
  ["a stream that ends at once", { chunks: [], done: false }, { isTransient: true }],
  [
    "an error in mid-stream",
    { chunks: [...chunks.slice(0, 2), { error: { message: "overloaded", type: "server_error" } }] },
    { isTransient: true },
  ],
])("%s is reported as what it is, and nothing is sent twice", async (_what, reply, failure) => {
  using server = openAiServer(reply);
  const { message } = endOf(await eventsOf(modelOf(server)));
  expect(message).toMatchObject({ stopReason: "error", failure });
  expect(server.requests.length).toBe(1);
});

test("a prompt that is too long for the model is no failure", async () => {
  using server = openAiServer(failureReply(400, "invalid_request_error", { code: "context_length_exceeded" }));
  expect(endOf(await eventsOf(modelOf(server))).message.stopReason).toBe("contextExceeded");
});

test("a key that the server echoes never shows", async () => {
  using server = openAiServer(failureReply(400, "invalid_request_error", { message: `bad key ${testKey}` }));
  const end = endOf(await eventsOf(modelOf(server)));
  expect(end.message.errorMessage).toContain("bad key [key]");
  expect(Bun.inspect(end)).not.toContain(testKey);
});
