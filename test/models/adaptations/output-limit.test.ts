import { describe, expect, test } from "bun:test";
import type { Message } from "@mdx-ai/models";
import { askAdapting } from "../../support/adapting-model.ts";
import { assistantMessage, modelRequest, userMessage } from "../../support/model-request.ts";
import { refusingServer } from "../../support/refusing-server.ts";
import { wireServer } from "../../support/wire-server.ts";

const saying = (message: string) => ({ error: { message, type: "invalid_request_error" } });

describe("a refused limit of an answer is asked again with one that the server takes", () => {
  test.each([
    ["max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for model-20241022", 8192],
    [
      "max_tokens is too large: 64000. This model supports at most 4096 completion tokens, whereas you provided 64000.",
      4096,
    ],
    ["Invalid max_tokens value, the valid range of max_tokens is [1, 8192]", 8192],
    ["The maximum tokens you requested exceeds the model limit of 4096. Try again with a lower value.", 4096],
    ["Max tokens (64000) exceeds limit 8K", 8000],
    ["The requested max_tokens 64000 is larger than model's 10240", 10_240],
    ["max_tokens exceeds the output limit of this model", 32_000],
    ["<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 8192]", 8192],
    ["max_tokens参数非法：限制数值范围[1,1024]", 1024],
    ["`max_tokens` must be less than or equal to `32768`", 32_768],
    ["max_completion_tokens must be less than or equal to 8,192", 8192],
    ["Invalid 'max_tokens': integer above maximum value. Expected a value <= 4096, but got 64000 instead.", 4096],
    ["maxOutputTokens value of 64000 but the supported range is from 1 (inclusive) to 8193 (exclusive).", 8192],
    ["max_tokens must be less than 8193", 8192],
    ["max_tokens must be between 1 and 8192", 8192],
    ["The maximum output tokens of this model are 8192", 8192],
    ["max_tokens=64000 cannot be greater than max_model_len=32768", 32_768],
    ["Requests with max_tokens > 4096 must have stream=true", 4096],
    ["max_tokens (64000) exceeds the model's limit of 8192", 8192],
  ])("%s", async (message, limit) => {
    using server = refusingServer(({ max_tokens: sent }) => (Number(sent) > limit ? saying(message) : undefined));
    const model = await server.open();
    const { changes, answer } = await askAdapting(model, modelRequest("Hi", { maxTokens: 64_000 }));
    expect(answer.stopReason).toBe("stop");
    expect(changes).toEqual([expect.stringContaining(`set max_tokens: ${limit}`)]);
    await askAdapting(model, modelRequest("Hi", { maxTokens: 64_000 }));
    await askAdapting(model, modelRequest("Hi", { maxTokens: 100 }));
    expect(server.bodies.map(({ max_tokens }) => max_tokens)).toEqual([64_000, limit, limit, 100]);
  });

  test("also where a credit pays for a shorter one", async () => {
    const message =
      "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 8192.";
    using server = refusingServer(({ max_tokens: sent }) => (Number(sent) > 8192 ? saying(message) : undefined), 402);
    const { answer } = await askAdapting(await server.open(), modelRequest("Hi", { maxTokens: 64_000 }));
    expect(answer.stopReason).toBe("stop");
  });

  test("also where it is too small", async () => {
    const message = "Invalid 'max_tokens': integer below minimum value. Expected a value >= 16, but got 5 instead.";
    using server = refusingServer(({ max_tokens: sent }) => (Number(sent) < 16 ? saying(message) : undefined));
    const { answer } = await askAdapting(await server.open(), modelRequest("Hi", { maxTokens: 5 }));
    expect([answer.stopReason, server.bodies[1]?.["max_tokens"]]).toEqual(["stop", 16]);
  });

  test("and shows the server's words if that does not help", async () => {
    using server = refusingServer(() => saying("max_tokens: 64000 > 8192, which is not so"));
    const { changes, answer } = await askAdapting(await server.open(), modelRequest("Hi", { maxTokens: 64_000 }));
    expect(changes).toHaveLength(1);
    expect(answer.errorMessage).toContain("max_tokens: 64000 > 8192, which is not so");
  });

  test("of Anthropic, which demands one", async () => {
    const message = "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for this model";
    using server = wireServer("anthropic", { status: 400, message }, { parts: [{ text: ["Done."] }] });
    const { changes, answer } = await askAdapting(await server.open());
    expect([answer.stopReason, changes]).toEqual(["stop", [expect.stringContaining("max_tokens of 64000")]]);
    expect(JSON.parse(server.requests[1]?.text ?? "")).toMatchObject({ max_tokens: 8192 });
  });

  test("of OpenAI's responses", async () => {
    const message =
      "Invalid 'max_output_tokens': integer above maximum value. Expected a value <= 4096, but got 64000 instead.";
    using server = wireServer("responses", { status: 400, message }, { parts: [{ text: ["Done."] }] });
    await askAdapting(await server.open("5.4"), modelRequest("Hi", { maxTokens: 64_000 }));
    expect(JSON.parse(server.requests[1]?.text ?? "")).toMatchObject({ max_output_tokens: 4096 });
  });
});

const history: readonly Message[] = [
  userMessage("Hi"),
  assistantMessage([{ type: "text", text: "Hello." }]),
  userMessage("Go on."),
];

describe("a limit that does not fit the window beside the request", () => {
  test.each([
    ["input length and `max_tokens` exceed context limit: 100000 + 64000 > 131072, decrease input length", 15_536],
    [
      "This model's maximum context length is 131072 tokens. However, you requested 164000 tokens (100000 in the messages, 64000 in the completion).",
      15_536,
    ],
    [
      "This endpoint's maximum context length is 131072 tokens. However, you requested about 164000 tokens (100000 of text input, 64000 in the output).",
      15_536,
    ],
    [
      "'max_tokens' is too large: 64000. This model's maximum context length is 131072 tokens and your request has 100000 input tokens (64000 > 131072 - 100000).",
      15_536,
    ],
    [
      "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 131072. Given: 100000 `inputs` tokens and 64000 `max_new_tokens`",
      15_536,
    ],
    [
      "This model's maximum context length is 131072 tokens. However, you requested 64000 output tokens and your prompt contains at least 67073 input tokens, for a total of at least 131073 tokens.",
      32_000,
    ],
    [
      "This model's maximum context length is 70000 tokens, however you requested 69000 tokens (5000 in your prompt; 64000 for the completion).",
      32_500,
    ],
  ])("is lowered: %s", async (message, limit) => {
    using server = refusingServer(({ max_tokens: sent }) => (Number(sent) > limit ? saying(message) : undefined));
    const model = await server.open();
    const { changes, answer } = await askAdapting(model, modelRequest(history, { maxTokens: 64_000 }));
    expect([answer.stopReason, changes]).toEqual([
      "stop",
      [expect.stringContaining("does not fit the model's window")],
    ]);
    expect(server.bodies[1]?.["max_tokens"]).toBe(limit);
  });

  test("is what it was when the request is shorter again", async () => {
    const message = "input length and `max_tokens` exceed context limit: 100000 + 64000 > 131072";
    using server = refusingServer(({ max_tokens: sent, messages }) =>
      Number(sent) > 20_000 && Array.isArray(messages) && messages.length > 2 ? saying(message) : undefined,
    );
    const model = await server.open();
    await askAdapting(model, modelRequest(history, { maxTokens: 64_000 }));
    await askAdapting(model, modelRequest([...history, userMessage("More.")], { maxTokens: 64_000 }));
    await askAdapting(model, modelRequest("Summary", { maxTokens: 64_000 }));
    expect(server.bodies.map(({ max_tokens }) => max_tokens)).toEqual([64_000, 15_536, 15_536, 64_000]);
  });

  test("is left to a summary where the request fills most of the window", async () => {
    const message = "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000";
    using server = refusingServer(() => saying(message));
    const { changes, answer } = await askAdapting(await server.open(), modelRequest(history, { maxTokens: 64_000 }));
    expect([answer.stopReason, changes]).toEqual(["contextExceeded", []]);
  });

  test("is lowered all the same where nothing could be summarised", async () => {
    const message = "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000";
    using server = refusingServer(({ max_tokens: sent }) => (Number(sent) > 21_041 ? saying(message) : undefined));
    const { answer } = await askAdapting(await server.open(), modelRequest("A long text", { maxTokens: 64_000 }));
    expect(answer.stopReason).toBe("stop");
  });
});

test.each([
  "prompt is too long: 210000 tokens > 200000 maximum",
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
])("a request that is too long for any limit is not a refused limit: %s", async (message) => {
  using server = refusingServer(() => saying(message));
  const { changes, answer } = await askAdapting(await server.open(), modelRequest("Hi", { maxTokens: 64_000 }));
  expect([answer.stopReason, changes]).toEqual(["contextExceeded", []]);
});
