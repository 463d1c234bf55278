import { expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { fromAiSdk, type LanguageModel, type Message } from "@mdx-ai/models";
import {
  type AnthropicReply,
  answerEvents,
  failureReply,
  type ReplyBlock,
  textReply,
} from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { endOf, eventsOf, modelRequest, toolResult, toolSchema, userMessage } from "../../support/model-request.ts";

function modelOf({ environment }: Pick<AnthropicServer, "environment">, timeout = 60): LanguageModel {
  const apiKey = environment.ANTHROPIC_API_KEY;
  const provider = createAnthropic({ apiKey, baseURL: `${environment.ANTHROPIC_BASE_URL}/v1` });
  return fromAiSdk(provider("claude-sonnet-4-5"), { timeout });
}

const look = toolSchema("look", "Looks", { at: "string" });
const request = (messages: readonly Message[], rest: object = {}) => modelRequest(messages, { tools: [look], ...rest });

const turn: readonly ReplyBlock[] = [
  { thinking: ["Let me ", "see 🌊"], signature: "EqQBCkgIBxABGAIiQ+/==" },
  { redacted: "EmwKAhgBIiYXJk+/==" },
  { text: ["I look", " — zwei Mal."] },
  { id: "toolu_1", name: "look", json: ['{"at":', '"sea"}'] },
  { id: "toolu_2", name: "look", json: ['{"at":"sky"}'] },
];

test.each([
  ["streams", {}],
  ["comes as a document", { stream: false }],
])("an answer of each kind of block %s, and goes back as the API wants it, after a reload too", async (_how, rest) => {
  const usage = { output_tokens: 90, cache_read_input_tokens: 40, output_tokens_details: { thinking_tokens: 30 } };
  using server = anthropicServer({ events: answerEvents(turn, { usage }), chunk: 1 }, textReply("Calm."));
  const model = modelOf(server);
  const first = endOf(await eventsOf(model, request([userMessage("Look")], rest))).message;
  expect(first).toMatchObject({
    stopReason: "toolUse",
    usage: { input: 10, output: 90, cacheRead: 40, thinking: 30 },
    content: [
      { type: "thinking", thinking: "Let me see 🌊" },
      { type: "thinking", thinking: "" },
      { type: "text", text: "I look — zwei Mal." },
      { type: "toolCall", id: "toolu_1", name: "look", arguments: { at: "sea" } },
      { type: "toolCall", id: "toolu_2", name: "look", arguments: { at: "sky" } },
    ],
  });
  const reloaded: typeof first = JSON.parse(JSON.stringify(first));
  const failed = toolResult("toolu_1", "fog", { isError: true });
  const history = [userMessage("Look"), reloaded, failed, toolResult("toolu_2", "blue")];
  const second = endOf(await eventsOf(model, request(history, rest))).message;
  expect(second).toMatchObject({ stopReason: "stop", content: [{ type: "text", text: "Calm." }] });
  expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined, undefined]);
  expect(server.requests[1]?.body).toMatchObject({
    messages: [
      { role: "user" },
      {
        role: "assistant",
        content: [{ signature: "EqQBCkgIBxABGAIiQ+/==" }, { data: "EmwKAhgBIiYXJk+/==" }, {}, {}, {}],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "toolu_1", is_error: true },
          { type: "tool_result", tool_use_id: "toolu_2" },
        ],
      },
    ],
  });
});

test("an image of a tool's result arrives", async () => {
  using server = anthropicServer({ events: answerEvents(turn.slice(3, 4)) }, textReply("Blue."));
  const model = modelOf(server);
  const { message } = endOf(await eventsOf(model, request([userMessage("Look")])));
  const image = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" } as const;
  const history = [userMessage("Look"), message, toolResult("toolu_1", "", { content: [image] })];
  expect(endOf(await eventsOf(model, request(history))).message.stopReason).toBe("stop");
  expect(server.requests[1]?.text).toContain("iVBORw0KGgo=");
});

const events = answerEvents([{ text: ["Wel", "l"] }]);

test.each<[string, AnthropicReply, object]>([
  ["status 529", failureReply(529, "overloaded_error"), { status: 529, kind: "overloaded_error", isTransient: true }],
  [
    "status 429 with a wait",
    failureReply(429, "rate_limit_error", { headers: { "retry-after": "3" } }),
    { status: 429, isTransient: true, retryAfter: 3000 },
  ],
  ["status 401", failureReply(401, "authentication_error"), { status: 401, isTransient: false }],
  ["a stream without its end", { events: events.slice(0, -1) }, { isTransient: true }],
  ["a stream that ends in the middle", { events: events.slice(0, 4) }, { isTransient: true }],
  ["a stream that ends at once", { events: [] }, { isTransient: true }],
  [
    "an error in mid-stream",
    { events: [...events.slice(0, 4), { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }] },
    { kind: "overloaded_error", isTransient: true },
  ],
])("%s is reported as what it is, and nothing is sent twice", async (_what, reply, failure) => {
  using server = anthropicServer(reply);
  const { message } = endOf(await eventsOf(modelOf(server)));
  expect(message).toMatchObject({ stopReason: "error", failure });
  expect(server.requests.length).toBe(1);
});

test("a prompt that is too long for the model is no failure", async () => {
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  using server = anthropicServer(failureReply(400, "invalid_request_error", { message }));
  expect(endOf(await eventsOf(modelOf(server))).message.stopReason).toBe("contextExceeded");
});

test("a server that falls silent has failed, and its connection is closed", async () => {
  using server = anthropicServer({ events: events.slice(0, 4), end: "hang" });
  const { message } = endOf(await eventsOf(modelOf(server, 1)));
  expect(message).toMatchObject({ stopReason: "error", failure: { kind: "silence", isTransient: true } });
  expect(message.content).toEqual([{ type: "text", text: "Wel" }]);
});

test("an abort closes the connection", async () => {
  using server = anthropicServer({ events: events.slice(0, 4), end: "hang" });
  const abort = new AbortController();
  const answer = modelOf(server).stream(modelRequest("Hello"), abort.signal);
  for await (const event of answer) if (event.type === "text_delta") abort.abort();
  const closed = server.requests[0]?.closed;
  if (closed && !closed.aborted) await new Promise((done) => closed.addEventListener("abort", done, { once: true }));
  expect(closed?.aborted).toBe(true);
});

test("a connection that cannot be made may be tried again", async () => {
  const environment = { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "http://127.0.0.1:1" };
  const { message } = endOf(await eventsOf(modelOf({ environment })));
  expect(message).toMatchObject({ stopReason: "error", failure: { kind: "connection", isTransient: true } });
});

test("a key that the server echoes never shows", async () => {
  using server = anthropicServer(
    failureReply(400, "invalid_request_error", {
      message: "bad key sk-ant-test-key",
      headers: { "x-key": "sk-ant-test-key" },
    }),
  );
  const end = endOf(await eventsOf(modelOf(server)));
  expect(end.message.errorMessage).toContain("bad key [key]");
  expect(Bun.inspect(end)).not.toContain("sk-ant-test-key");
});
