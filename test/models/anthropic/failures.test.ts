import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { type LanguageModel, type ModelError, openModel } from "@mdx-ai/models";
import { type AnthropicReply, failureReply, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { failureOf } from "../../support/model-failure.ts";
import { assistantMessage, endOf, eventsOf, modelRequest, userMessage } from "../../support/model-request.ts";

const open = (server: AnthropicServer): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment });
/** A model at a server that is written for one test. */
const openAt = (url: string): Promise<LanguageModel> =>
  openModel("claude-test", { environment: { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: url } });

/** A body that repeats a text until nobody reads it any more. */
function endless(text: string): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text.repeat(Math.ceil(1_000_000 / text.length)));
  return new ReadableStream({ pull: (controller) => controller.enqueue(bytes) });
}

/** The error that a reply ends with. The server has one more reply, which nobody may come for. */
async function failWith(reply: AnthropicReply): Promise<ModelError> {
  using server = anthropicServer(reply, textReply("A second attempt."));
  const error = failureOf(await eventsOf(await open(server)));
  expect(server.requests.length).toBe(1);
  return error;
}

describe("a failure before the answer is reported once, at once, and nothing is sent again", () => {
  test.each([
    { status: 400, kind: "invalid_request_error", says: "" },
    { status: 401, kind: "authentication_error", says: "ANTHROPIC_API_KEY" },
    { status: 402, kind: "billing_error", says: "" },
    { status: 403, kind: "permission_error", says: "" },
    { status: 404, kind: "not_found_error", says: "name of the model" },
    { status: 413, kind: "some_error", says: "" },
  ])("$status is final, regardless of its headers, and says what to do", async ({ status, kind, says }) => {
    const headers = { "x-should-retry": "true" };
    const error = await failWith(failureReply(status, kind, { message: "Because of this", headers }));
    expect(error.failure).toEqual({ status, kind, isTransient: false });
    for (const word of [`${status} ${kind}`, "Because of this", says]) expect(error.message).toContain(word);
  });

  test.each([
    { status: 408, kind: "timeout_error" },
    { status: 409, kind: "conflict_error" },
    { status: 429, kind: "rate_limit_error" },
    { status: 500, kind: "api_error" },
    { status: 502, kind: "api_error" },
    { status: 529, kind: "overloaded_error" },
  ])("$status is transient, unless the server says that it is not", async ({ status, kind }) => {
    expect((await failWith(failureReply(status, kind))).failure).toEqual({ status, kind, isTransient: true });
    const headers = { "x-should-retry": "false" };
    const final = await failWith(failureReply(status, kind, { headers }));
    expect(final.failure).toEqual({ status, kind, isTransient: false });
  });

  test("another status is transient where the server says so", async () => {
    const headers = { "x-should-retry": "true" };
    expect((await failWith(failureReply(422, "odd_error"))).failure.isTransient).toBe(false);
    expect((await failWith(failureReply(422, "odd_error", { headers }))).failure.isTransient).toBe(true);
  });

  test.each([
    { title: "in seconds", headers: { "retry-after": "7" }, wait: 7000 },
    { title: "in milliseconds", headers: { "retry-after-ms": "1500", "retry-after": "2" }, wait: 1500 },
    { title: "as a date that is over", headers: { "retry-after": "Mon, 01 Jan 2001 00:00:00 GMT" }, wait: 0 },
  ])("429 with a wait $title tells it", async ({ headers, wait }) => {
    const { failure } = await failWith(failureReply(429, "rate_limit_error", { headers }));
    expect(failure).toEqual({ status: 429, kind: "rate_limit_error", isTransient: true, retryAfter: wait });
  });

  test("529 with a wait until a date tells how long that is", async () => {
    const headers = { "retry-after": new Date(Date.now() + 40_000).toUTCString() };
    const { failure } = await failWith(failureReply(529, "overloaded_error", { headers }));
    expect(failure).toMatchObject({ status: 529, isTransient: true });
    expect(failure.retryAfter).toBeLessThanOrEqual(40_000);
    expect(failure.retryAfter).toBeGreaterThan(0);
  });

  test.each([
    { title: "the spending limit is reached", extra: { details: { error_code: "enforced_spend_limit_reached" } } },
    { title: "the wait would be an hour", extra: { headers: { "retry-after": "3600" } } },
    { title: "the wait has a unit", extra: { headers: { "retry-after": "3600s" } } },
    { title: "the wait is given twice", extra: { headers: { "retry-after-ms": "0", "retry-after": "3600" } } },
    { title: "the wait would last until 2100", extra: { headers: { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" } } },
    { title: "the wait has no end", extra: { headers: { "retry-after": "9".repeat(400) } } },
    {
      title: "the server says so, and otherwise",
      extra: { headers: { "retry-after": "61", "x-should-retry": "true" } },
    },
  ])("429 is final where $title", async ({ extra }) => {
    const { failure, message } = await failWith(failureReply(429, "rate_limit_error", extra));
    expect(failure).toMatchObject({ status: 429, kind: "rate_limit_error", isTransient: false });
    expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
    if ("headers" in extra) expect(message).toMatch(/Try again in \d+ seconds/);
  });

  test("a body that is not JSON is reported in one short line", async () => {
    const body = `<html>\n<h1>Bad gateway</h1>${" very long".repeat(1000)}`;
    const error = await failWith({ status: 502, body });
    expect(error.failure).toEqual({ status: 502, isTransient: true });
    expect(error.message).toContain('a web page, "Bad gateway very long');
    expect(error.message.length).toBeLessThan(600);
  });

  test("a body without an end is reported, too", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(endless("very long "), { status: 400 }),
    });
    expect(failureOf(await eventsOf(await openAt(server.url.href))).message).toContain("400: very long very long");
  });

  test("a body that breaks off leaves the status, which says enough", async () => {
    using server = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: {
        data(socket) {
          socket.write("HTTP/1.1 400 Bad Request\r\ncontent-length: 1000\r\n\r\nNo, becau");
          setTimeout(() => socket.end(), 100);
        },
      },
    });
    const error = failureOf(await eventsOf(await openAt(`http://127.0.0.1:${server.port}`)));
    expect(error.failure).toEqual({ status: 400, isTransient: false });
    expect(error.message).toContain("No, becau");
  });

  test("a body that never comes leaves the status, and is not waited for until the server counts as silent", async () => {
    using server = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: { data: (socket) => void socket.write("HTTP/1.1 401 Unauthorized\r\ncontent-length: 1000\r\n\r\n") },
    });
    const error = failureOf(await eventsOf(await openAt(`http://127.0.0.1:${server.port}`)));
    expect(error.failure).toEqual({ status: 401, isTransient: false });
  });

  test.each([
    { status: 429, message: ["too", { toString: 1 }], says: '["too",{"toString":1}]' },
    { status: 529, message: { toString: 1, valueOf: 2 }, says: '{"toString":1,"valueOf":2}' },
  ])("$status is transient, though what it says is no text", async ({ status, message, says }) => {
    const body = { type: "error", error: { type: { toString: 1 }, message } };
    const error = await failWith({ status, body });
    expect(error.failure).toEqual({ status, isTransient: true });
    expect(error.message).toContain(says);
  });

  test("a redirection is not followed, which would carry the key to another server", async () => {
    using other = anthropicServer(textReply("Thank you."));
    const location = `${other.environment.ANTHROPIC_BASE_URL}/v1/messages`;
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(null, { status: 307, headers: { location } }),
    });
    const error = failureOf(await eventsOf(await openAt(server.url.href)));
    expect(error.failure).toEqual({ status: 307, isTransient: false });
    expect(error.message).toContain("ANTHROPIC_BASE_URL");
    expect(other.requests.length).toBe(0);
  });

  test("a server that is not there is named, without what its address holds beside, and may be there later", async () => {
    const server = anthropicServer();
    server[Symbol.dispose]();
    const url = server.environment.ANTHROPIC_BASE_URL;
    const error = failureOf(await eventsOf(await openAt(url.replace("://", "://user:secret@"))));
    expect(error.message).toContain(`could not reach ${new URL(url).host}`);
    expect(error.failure).toEqual({ kind: "connection", isTransient: true });
    expect(inspect(error)).not.toContain("secret");
  });

  test("a server that hangs up on a request has it once", async () => {
    let requests = 0;
    using server = Bun.listen({
      port: 0,
      hostname: "127.0.0.1",
      socket: {
        data(socket) {
          requests++;
          socket.end();
        },
      },
    });
    const error = failureOf(await eventsOf(await openAt(`http://127.0.0.1:${server.port}`)));
    expect(error.message).toContain(`lost the connection to 127.0.0.1:${server.port}`);
    expect(error.failure).toEqual({ kind: "connection", isTransient: true });
    expect(requests).toBe(1);
  });

  test("a server that is no model is named", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }),
    });
    const error = failureOf(await eventsOf(await openAt(server.url.href)));
    for (const word of ["instead of an answer", server.url.host, "text/html", "ANTHROPIC_BASE_URL"])
      expect(error.message).toContain(word);
    expect(error.failure.isTransient).toBe(false);
  });
});

test("a request of too many bytes ends as one that does not fit the model's context", async () => {
  const message = "Request exceeds the maximum allowed number of bytes";
  using server = anthropicServer(failureReply(413, "request_too_large", { message }));
  expect(endOf(await eventsOf(await open(server))).message).toMatchObject({ stopReason: "contextExceeded" });
});

describe("a request that does not fit the model's context", () => {
  test.each([
    { status: 400, message: "prompt is too long: 210000 tokens > 200000 maximum" },
    {
      status: 400,
      message:
        "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
    },
  ])("is no failure, but the end of the context: $message", async ({ status, message }) => {
    using server = anthropicServer(failureReply(status, "invalid_request_error", { message }));
    // A request that could be shorter: with a single message, a shorter answer may help.
    const history = [userMessage("Hi"), assistantMessage([{ type: "text", text: "Hello." }]), userMessage("Go on.")];
    const end = endOf(await eventsOf(await open(server), modelRequest(history)));
    expect(end).toMatchObject({ type: "done", message: { stopReason: "contextExceeded", content: [] } });
    expect(end.message.errorMessage).toContain(message.slice(0, 18));
    expect(end.message).not.toHaveProperty("failure");
  });

  test("is not taken for one where the pace of tokens is the matter", async () => {
    const message = "This request would exceed the rate limit of your organization for the maximum context length";
    expect((await failWith(failureReply(429, "rate_limit_error", { message }))).failure.isTransient).toBe(true);
  });
});
