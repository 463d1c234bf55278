import { expect, test } from "bun:test";
import { APICallError } from "@ai-sdk/provider";
import { fromAiSdk, type Message } from "@mdx-ai/models";
import { askAdapting } from "../../support/adapting-model.ts";
import { aiSdkProvider, textParts } from "../../support/ai-sdk-provider.ts";
import { assistantMessage, endOf, eventsOf, modelRequest, userMessage } from "../../support/model-request.ts";

const refusal = (message: string, error: object = {}, statusCode = 400) =>
  new APICallError({
    message,
    url: "https://example.com/",
    requestBodyValues: {},
    statusCode,
    responseBody: JSON.stringify({ error: { message, ...error } }),
  });

const answers = { parts: [...textParts("0", "Done."), { type: "finish", finishReason: "stop", usage: {} }] };

const image = (data: string): Message => ({
  role: "user",
  content: [{ type: "image", data, mimeType: "image/png" }],
  timestamp: 0,
});

test.each([
  ["temperature: only the default value is supported", { maxOutputTokens: 64_000, reasoning: "low" }],
  ["Unsupported parameter: 'reasoning_effort' is not supported", { maxOutputTokens: 64_000, temperature: 0.5 }],
  [
    "max_tokens: 64000 > 8192, the maximum of this model",
    { maxOutputTokens: 8192, temperature: 0.5, reasoning: "low" },
  ],
])("a model of the AI SDK is asked again after: %s", async (message, sent) => {
  const provider = aiSdkProvider([{ rejectsWith: refusal(message) }, answers]);
  const request = modelRequest("Hi", { temperature: 0.5, maxTokens: 64_000, effort: "low" });
  const { changes, answer } = await askAdapting(fromAiSdk(provider), request);
  expect([answer.stopReason, changes.length]).toEqual(["stop", 1]);
  const { temperature, maxOutputTokens, reasoning } = provider.calls[1] ?? {};
  expect({ temperature, maxOutputTokens, reasoning }).toEqual({
    temperature: undefined,
    reasoning: undefined,
    ...sent,
  });
});

test("of too many images the oldest leave", async () => {
  const provider = aiSdkProvider([
    { rejectsWith: refusal("At most 1 image(s) may be provided in one request.") },
    answers,
  ]);
  const messages = [
    image("QQ=="),
    assistantMessage([{ type: "text", text: "Ah." }]),
    image("Qg=="),
    userMessage("Go on."),
  ];
  const { answer } = await askAdapting(fromAiSdk(provider), modelRequest(messages));
  expect(answer.stopReason).toBe("stop");
  expect(JSON.stringify(provider.calls[1])).not.toContain("QQ==");
  expect(JSON.stringify(provider.calls[1])).toContain("Qg==");
});

test("a call that the server could not read may be written better, and is shown", async () => {
  const error = refusal("Failed to call a function.", { code: "tool_use_failed", failed_generation: "<function=bash" });
  const { message } = endOf(await eventsOf(fromAiSdk(aiSdkProvider([{ rejectsWith: error }]))));
  expect(message.failure).toMatchObject({ isTransient: true });
  expect(message.errorMessage).toContain("The model wrote: <function=bash");
});

test("a wait that only the body says is kept", async () => {
  const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "4s" }];
  const error = refusal(
    "You exceeded your current quota, please check your plan and billing details.",
    { details },
    429,
  );
  const { message } = endOf(await eventsOf(fromAiSdk(aiSdkProvider([{ rejectsWith: error }]))));
  expect(message.failure).toMatchObject({ isTransient: true, retryAfter: 4000 });
});
