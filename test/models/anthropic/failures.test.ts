import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { type LanguageModel, ModelError, type ModelEvent, openModel } from "@mdx-ai/models";
import { type AnthropicReply, answerEvents, failureReply, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

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

const soon = { headers: { "retry-after-ms": "5" } };
const half = answerEvents([{ text: ["half an", " answer"] }]).slice(0, 5);

/** The error that ends an answer, after a check that it is well told. */
function errorOf(events: readonly ModelEvent[]): ModelError {
  const end = endOf(events);
  if (end.type !== "error" || !(end.error instanceof ModelError)) throw new Error(`no model error: ${inspect(end)}`);
  expect(end.message).toMatchObject({ stopReason: "error", errorMessage: end.error.message });
  expect(end.error.message).not.toContain("\n");
  expect(inspect(end, { depth: 20 })).not.toContain("sk-ant-test-key");
  return end.error;
}

async function failWith(reply: AnthropicReply, attempts = 1): Promise<ModelError> {
  using server = anthropicServer(...Array.from({ length: attempts }, () => reply));
  const error = errorOf(await eventsOf(await open(server)));
  expect(server.requests.length).toBe(attempts);
  return error;
}

describe("a failure before the answer", () => {
  test.each([
    { status: 400, kind: "invalid_request_error", says: "" },
    { status: 401, kind: "authentication_error", says: "ANTHROPIC_API_KEY" },
    { status: 402, kind: "billing_error", says: "" },
    { status: 403, kind: "permission_error", says: "" },
    { status: 404, kind: "not_found_error", says: "name of the model" },
    { status: 413, kind: "request_too_large", says: "" },
  ])("of $status is told at once, with what to do", async ({ status, kind, says }) => {
    const error = await failWith(failureReply(status, kind, { message: "Because of this" }));
    expect(error).toMatchObject({ status, kind });
    for (const word of [`${status} ${kind}`, "Because of this", says]) expect(error.message).toContain(word);
  });

  test.each([
    { status: 408, kind: "timeout_error" },
    { status: 409, kind: "conflict_error" },
    { status: 429, kind: "rate_limit_error" },
    { status: 500, kind: "api_error" },
    { status: 529, kind: "overloaded_error" },
  ])("of $status is tried twice more before it is told", async ({ status, kind }) => {
    expect(await failWith(failureReply(status, kind, soon), 3)).toMatchObject({ status, kind });
  });

  test("that passes at a further attempt is never told", async () => {
    using server = anthropicServer(failureReply(529, "overloaded_error", soon), textReply("Now."));
    expect(told(await eventsOf(await open(server)))).toEqual([
      "start",
      "text_start 0",
      "text_delta 0 Now.",
      "text_end 0",
      "done",
    ]);
    expect(server.requests.length).toBe(2);
    expect(server.requests[1]?.text).toBe(server.requests[0]?.text ?? "");
  });

  test("waits as long as retry-after says", async () => {
    using server = anthropicServer(
      failureReply(429, "rate_limit_error", { headers: { "retry-after": "1" } }),
      textReply("Now."),
    );
    const model = await open(server);
    const before = performance.now();
    expect(endOf(await eventsOf(model)).type).toBe("done");
    expect(performance.now() - before).toBeGreaterThan(950);
  });

  test.each([
    { title: "the spending limit is reached", extra: { details: { error_code: "enforced_spend_limit_reached" } } },
    { title: "the wait would be an hour", extra: { headers: { "retry-after": "3600" } } },
    { title: "the wait is told with its unit", extra: { headers: { "retry-after": "3600s" } } },
    { title: "the wait is told twice", extra: { headers: { "retry-after-ms": "0", "retry-after": "3600" } } },
    { title: "the wait would last until 2100", extra: { headers: { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" } } },
    { title: "the server says so", extra: { headers: { "x-should-retry": "false" } } },
  ])("of 429 is final where $title", async ({ extra }) => {
    expect(await failWith(failureReply(429, "rate_limit_error", extra))).toMatchObject({ status: 429 });
  });

  test("whose body is no JSON is told in one short line", async () => {
    const body = `<html>\n<h1>Bad gateway</h1>${" very long".repeat(1000)}`;
    const error = await failWith({ status: 502, body, headers: { "x-should-retry": "false" } });
    expect(error).toMatchObject({ status: 502, kind: undefined });
    expect(error.message).toContain("<html> <h1>Bad gateway</h1>");
    expect(error.message.length).toBeLessThan(600);
  });

  test("whose text quotes the key is told without the key", async () => {
    const error = await failWith(failureReply(401, "authentication_error", { message: "sk-ant-test-key is unknown" }));
    expect(error.message).toContain("[key] is unknown");
    expect(error).toMatchObject({ status: 401, kind: "authentication_error" });
  });

  test("whose text quotes the key where it is cut is told without any part of the key", async () => {
    for (let length = 470; length <= 500; length++) {
      const error = await failWith(failureReply(400, "invalid", { message: `${"-".repeat(length)}sk-ant-test-key` }));
      expect(error.message).not.toContain("sk-ant");
    }
  });

  test("whose text has no end is told all the same", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(endless("very long "), { status: 400 }),
    });
    expect(errorOf(await eventsOf(await openAt(server.url.href))).message).toContain("400: very long very long");
  });

  test("of a server that is not there names it", async () => {
    const server = anthropicServer();
    server[Symbol.dispose]();
    const url = server.environment.ANTHROPIC_BASE_URL;
    const environment = {
      ANTHROPIC_API_KEY: "sk-ant-test-key",
      ANTHROPIC_BASE_URL: url.replace("://", "://user:secret@"),
    };
    const error = errorOf(await eventsOf(await openModel("claude-test", { environment })));
    expect(error.message).toContain(`could not reach ${new URL(url).host}`);
    expect(inspect(error)).not.toContain("secret");
  }, 15_000);

  test("of a server that is no model names it", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }),
    });
    const error = errorOf(await eventsOf(await openAt(server.url.href)));
    for (const word of ["event stream", server.url.host, "text/html", "ANTHROPIC_BASE_URL"])
      expect(error.message).toContain(word);
  });
});

describe("an answer that breaks off", () => {
  test.each([
    { title: "ends cleanly without message_stop", end: "clean", extra: [], says: "ended before it was whole" },
    {
      title: "is ended by an error event",
      end: "hang",
      extra: [{ type: "error", error: { type: "overloaded_error", message: "Too\nmuch" } }],
      says: "overloaded_error: Too much",
    },
    {
      title: "is ended by an error event that says nothing",
      end: "hang",
      extra: [{ type: "error" }],
      says: "no message",
    },
  ] as const)("because it $title is an error that keeps the text", async ({ end, extra, says }) => {
    using server = anthropicServer({ events: [...half, ...extra], end });
    const events = await eventsOf(await open(server));
    expect(errorOf(events).message).toContain(says);
    expect(endOf(events).message.content).toEqual([{ type: "text", text: "half an answer" }]);
    expect(told(events)).toEqual(["start", "text_start 0", "text_delta 0 half an answer", "error"]);
    expect(server.requests.length).toBe(1);
  });

  test("because it loses its connection is an error that keeps the text", async () => {
    using server = anthropicServer({ events: half, end: "hang" });
    const events: ModelEvent[] = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), new AbortController().signal)) {
      events.push(event);
      if (event.type === "text_delta") server.breakOff();
    }
    expect(errorOf(events).message).toContain("broke off: ECONNRESET");
    expect(endOf(events).message.content).toEqual([{ type: "text", text: "half an answer" }]);
    expect(server.requests.length).toBe(1);
  });

  test("with an error event tells its kind and no status", async () => {
    using server = anthropicServer({ events: [{ type: "error", error: { type: "api_error", message: "Internal" } }] });
    expect(errorOf(await eventsOf(await open(server)))).toMatchObject({ status: undefined, kind: "api_error" });
  });

  test("inside a tool call leaves the call malformed", async () => {
    const events = answerEvents([
      { id: "t1", name: "a", json: ["{}"] },
      { id: "t2", name: "b", json: ["{"] },
    ]);
    using server = anthropicServer({ events: events.slice(0, 7) });
    expect(endOf(await eventsOf(await open(server))).message.content).toEqual([
      { type: "toolCall", id: "t1", name: "a", arguments: {} },
      { type: "toolCall", id: "t2", name: "b", arguments: {}, malformed: "{" },
    ]);
  });

  test("with data that is no JSON is an error", async () => {
    const body = 'data: {"type":\n\n';
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response(body, { headers: { "content-type": "text/event-stream" } }),
    });
    expect(errorOf(await eventsOf(await openAt(server.url.href))).message).toContain("not JSON");
  });

  test.each([
    { title: "of events", body: 'data: {"type":"ping"}\n\n' },
    { title: "of one line", body: "data: more and more and more" },
    { title: "of lines of one event", body: `data: ${"more ".repeat(1000)}\n` },
  ])(
    "because it is longer than any answer, $title, is an error",
    async ({ body }) => {
      using server = Bun.serve({
        port: 0,
        hostname: "127.0.0.1",
        fetch: () => new Response(endless(body), { headers: { "content-type": "text/event-stream" } }),
      });
      expect(errorOf(await eventsOf(await openAt(server.url.href))).message).toContain("longer than any answer");
    },
    30_000,
  );
});

describe("an abort", () => {
  const hanging: AnthropicReply = { events: half, end: "hang" };

  test("in mid-stream closes the request and keeps the text", async () => {
    using server = anthropicServer(hanging);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), controller.signal)) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    expect(endOf(events)).toMatchObject({
      type: "error",
      message: { stopReason: "aborted", errorMessage: "aborted", content: [{ type: "text", text: "half an answer" }] },
    });
    await untilClosed(server);
  });

  test("before the answer begins closes the request", async () => {
    using server = anthropicServer({ ...hanging, before: 60_000 });
    const controller = new AbortController();
    const events = eventsOf(await open(server), modelRequest("Hi"), controller.signal);
    await until(() => server.requests.length === 1);
    controller.abort(new Error("the user left"));
    expect(endOf(await events)).toMatchObject({ type: "error", message: { stopReason: "aborted", content: [] } });
    await untilClosed(server);
  });

  test("while it waits for a further attempt makes none", async () => {
    using server = anthropicServer(failureReply(529, "overloaded_error", { headers: { "retry-after": "50" } }));
    const controller = new AbortController();
    const events = eventsOf(await open(server), modelRequest("Hi"), controller.signal);
    await until(() => server.requests.length === 1);
    await Bun.sleep(50);
    controller.abort();
    expect(endOf(await events).message.stopReason).toBe("aborted");
    expect(server.requests.length).toBe(1);
  });

  test("before the request sends none", async () => {
    using server = anthropicServer();
    const events = await eventsOf(await open(server), modelRequest("Hi"), AbortSignal.abort());
    expect(told(events)).toEqual(["error"]);
    expect(endOf(events).message.stopReason).toBe("aborted");
    expect(server.requests.length).toBe(0);
  });

  test("by a reader who leaves closes the request", async () => {
    using server = anthropicServer(hanging);
    for await (const event of (await open(server)).stream(modelRequest("Hi"), new AbortController().signal)) {
      if (event.type === "text_delta") break;
    }
    await untilClosed(server);
  });
});

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error("it never happened");
    await Bun.sleep(5);
  }
}

const untilClosed = (server: AnthropicServer): Promise<void> =>
  until(() => server.requests.at(-1)?.closed.aborted === true);
