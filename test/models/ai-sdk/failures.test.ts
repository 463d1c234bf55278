import { expect, test } from "bun:test";
import { APICallError, JSONParseError, LoadAPIKeyError } from "@ai-sdk/provider";
import { fromAiSdk } from "@mdx-ai/models";
import { aiSdkProvider, textParts } from "../../support/ai-sdk-provider.ts";
import { endOf, eventsOf } from "../../support/model-request.ts";

const key = "sk-hand-9f8e7d6c5b4a3210ffeeddcc";

function apiError(statusCode: number | undefined, rest: Partial<ConstructorParameters<typeof APICallError>[0]> = {}) {
  return new APICallError({
    message: `Told to fail with ${key}`,
    url: `https://example.com/?key=${key}`,
    requestBodyValues: { key },
    responseBody: JSON.stringify({ error: { message: key } }),
    ...(statusCode !== undefined && { statusCode }),
    ...rest,
  });
}

/** How an answer ends that a provider fails with something: at once, by a part of its stream, and by a break of it. */
async function endsWith(error: unknown) {
  const answers = [
    { rejectsWith: error },
    { parts: [...textParts("0", "Wel"), { type: "error", error }] },
    { parts: textParts("0", "Wel"), breaksWith: error },
  ];
  return Promise.all(answers.map(async (answer) => endOf(await eventsOf(fromAiSdk(aiSdkProvider([answer]))))));
}

test.each([
  [400, false],
  [401, false],
  [403, false],
  [404, false],
  [408, true],
  [409, true],
  [413, false],
  [429, true],
  [500, true],
  [529, true],
])("status %d: another attempt may go well: %p", async (status, isTransient) => {
  for (const { message } of await endsWith(apiError(status))) {
    expect(message).toMatchObject({ stopReason: "error", failure: { status, isTransient } });
  }
});

test("a provider that says itself that another attempt is in vain is right", async () => {
  for (const { message } of await endsWith(apiError(500, { isRetryable: false }))) {
    expect(message.failure).toEqual({ status: 500, isTransient: false });
  }
});

test("a server's wait and its name for the failure are reported", async () => {
  const data = { type: "error", error: { type: "rate_limit_error", message: "slow down" } };
  const responseHeaders = { "retry-after": "7", authorization: key };
  for (const { message } of await endsWith(apiError(429, { data, responseHeaders }))) {
    expect(message.failure).toEqual({ status: 429, kind: "rate_limit_error", isTransient: true, retryAfter: 7000 });
  }
});

test("a request that is too long for the model is no failure", async () => {
  const data = { error: { code: "context_length_exceeded", message: "too long" } };
  const detail = "This model's maximum context length is 5 tokens";
  for (const error of [
    apiError(400, { data }),
    apiError(400, { message: "prompt is too long: 9 > 5", responseBody: "" }),
    apiError(400, { message: "Bad Request", responseBody: JSON.stringify({ detail }) }),
  ]) {
    for (const { message } of await endsWith(error)) expect(message.stopReason).toBe("contextExceeded");
  }
});

test.each([
  ["a refused connection", Object.assign(new Error("Unable to connect"), { code: "ConnectionRefused" })],
  ["a reset", Object.assign(new TypeError("terminated"), { cause: { code: "ECONNRESET" } })],
  ["a call that reached nobody", apiError(undefined, { isRetryable: true })],
  ["a time-out of the provider's own", new DOMException("late", "TimeoutError")],
])("%s may go well another time", async (_what, error) => {
  for (const { message } of await endsWith(error)) {
    expect(message).toMatchObject({ stopReason: "error", failure: { kind: "connection", isTransient: true } });
  }
});

test.each([
  ["a part that is no JSON", new JSONParseError({ text: key, cause: new Error(key) })],
  ["a body that is none", apiError(200, { message: "Invalid JSON response" })],
])("%s is a broken answer", async (_what, error) => {
  for (const { message } of await endsWith(error)) {
    expect(message).toMatchObject({ stopReason: "error", failure: { kind: "unfinished", isTransient: true } });
  }
});

test("an error in mid-stream that has a kind and no status keeps it", async () => {
  const overloaded = { type: "overloaded_error", message: "Overloaded" };
  for (const { message } of await endsWith(overloaded)) {
    expect(message.failure).toEqual({ kind: "overloaded_error", isTransient: true });
  }
});

test("a missing key is reported with the name of its variable", async () => {
  const message =
    "Hand API key is missing. Pass it using the 'apiKey' parameter or the HAND_API_KEY environment variable.";
  for (const end of await endsWith(new LoadAPIKeyError({ message }))) {
    expect(end.message.errorMessage).toStartWith("HAND_API_KEY is not set.");
    expect(end.message.failure).toEqual({ kind: "missing_key", isTransient: false });
  }
});

const oddities: readonly unknown[] = [
  "a text",
  7,
  null,
  undefined,
  {},
  [],
  Symbol("s"),
  new Error(""),
  Object.create(null),
];

/** Throws whatever is asked of it. */
const hostile: unknown = new Proxy(
  {},
  {
    get: () => {
      throw new Error("no");
    },
  },
);

test("any value that is thrown or streamed instead of an error is a failure", async () => {
  for (const oddity of [...oddities, hostile]) {
    for (const { message } of await endsWith(oddity)) {
      expect(message.stopReason).toBe("error");
      expect(message.errorMessage).toBeTruthy();
    }
  }
});

test("an error that points at itself ends", async () => {
  const error = new Error("round");
  error.cause = error;
  for (const { message } of await endsWith(error)) expect(message.errorMessage).toContain("round");
});

test("a key never shows, wherever a server or a provider quotes it", async () => {
  const errors = [
    apiError(400),
    apiError(401, { data: { error: { type: key, code: key, message: key } } }),
    apiError(403, { message: "nothing marks hunter2-as-a-key" }),
    apiError(500, { responseHeaders: { "retry-after": key, "x-should-retry": key } }),
    apiError(undefined, { isRetryable: true, cause: new Error(key) }),
    apiError(undefined),
    new Error(`Bearer ${key}`),
    new Error(`${"long ".repeat(300)}${key}`),
    { message: key, type: key, code: key },
    key,
    Object.assign(new Error("x"), { code: key }),
  ];
  for (const error of errors) {
    for (const end of await endsWith(error)) {
      if (end.type !== "error") throw new Error("no failure");
      const shown = [JSON.stringify(end.message), Bun.inspect(end.error), end.error.stack].join("\n");
      expect(shown).not.toContain("9f8e7d6c");
      expect(shown).not.toContain("hunter2");
    }
  }
});

test("secrets that look like no key are hidden where they are known", async () => {
  const answer = { rejectsWith: apiError(400, { message: "who is open sesame?", responseBody: "" }) };
  const model = fromAiSdk(aiSdkProvider([answer]), { secrets: ["open sesame", "", "who"] });
  expect(endOf(await eventsOf(model)).message.errorMessage).toContain("who is [key]?");
});
