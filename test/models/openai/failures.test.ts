import { describe, expect, test } from "bun:test";
import type { ModelEvent } from "@mdx-ai/models";
import { eventually } from "../../support/eventually.ts";
import { errorOf, failWith, half, halfText, open, openAt } from "../../support/failing-openai.ts";
import { endOf, eventsOf, modelRequest } from "../../support/model-request.ts";
import { answerChunks, type Chunk, failureReply, type OpenAiReply } from "../../support/openai-replies.ts";
import { type OpenAiServer, openAiServer, testKey } from "../../support/openai-server.ts";

describe("a failure before the answer", () => {
  test.each([
    { status: 400, isTransient: false, says: "" },
    { status: 401, isTransient: false, says: "OPENAI_API_KEY" },
    { status: 403, isTransient: false, says: "" },
    { status: 404, isTransient: false, says: "name of the model" },
    { status: 408, isTransient: true, says: "" },
    { status: 409, isTransient: true, says: "" },
    { status: 413, isTransient: false, says: "" },
    { status: 422, isTransient: false, says: "" },
    { status: 429, isTransient: true, says: "" },
    { status: 500, isTransient: true, says: "" },
    { status: 503, isTransient: true, says: "" },
  ])("of $status says what to do, and is sent once", async ({ status, isTransient, says }) => {
    const error = await failWith(failureReply(status, "some_error", { message: "Because of this" }));
    expect(error.failure).toEqual({ status, kind: "some_error", isTransient });
    for (const word of [`openai answered ${status} some_error`, "Because of this", says])
      expect(error.message).toContain(word);
  });

  test("because the request is too long ends the answer with the stop reason contextExceeded", async () => {
    const message = "This model's maximum context length is 128000 tokens";
    const reply = failureReply(400, "invalid_request_error", { message, code: "context_length_exceeded" });
    using server = openAiServer(reply);
    expect(endOf(await eventsOf(await open(server)))).toMatchObject({
      type: "done",
      message: { stopReason: "contextExceeded", content: [], errorMessage: expect.stringContaining(message) },
    });
  });

  test.each([
    { headers: { "retry-after": "7" }, failure: { isTransient: true, retryAfter: 7000 } },
    { headers: { "retry-after-ms": "250" }, failure: { isTransient: true, retryAfter: 250 } },
    { headers: { "retry-after": "3600" }, failure: { isTransient: false, retryAfter: 3_600_000 } },
    { headers: { "x-should-retry": "false" }, failure: { isTransient: false } },
  ])("of 429 tells how long to wait: $headers", async ({ headers, failure }) => {
    expect((await failWith(failureReply(429, "tokens", { headers }))).failure).toMatchObject(failure);
  });

  test.each([
    {
      vendor: "gemini",
      body: [{ error: { code: 400, message: "Bad thing", status: "INVALID_ARGUMENT" } }],
      says: "400 INVALID_ARGUMENT: Bad thing",
    },
    {
      vendor: "mistral",
      body: { object: "error", message: "Bad thing", type: "invalid_request_error", code: null },
      says: "400 invalid_request_error: Bad thing",
    },
    { vendor: "ollama", body: { error: { message: "Bad thing" } }, says: "400: Bad thing" },
    { vendor: "a gateway", body: "<html>\n<h1>Bad thing</h1>", says: '400: a web page, "Bad thing"' },
  ])("in the form of $vendor is reported in plain words", async ({ body, says }) => {
    expect((await failWith({ status: 400, body })).message).toContain(`openai answered ${says}`);
  });

  test("of 404 that is not told as OpenAI does asks for the address, too", async () => {
    const { message } = await failWith({ status: 404, body: "404 page not found" });
    expect(message).toEndWith("404 page not found. Is the name of the model right, and OPENAI_BASE_URL?");
  });

  test.each([
    { status: 401, body: { error: { message: `${testKey} is unknown`, type: testKey } } },
    { status: 400, body: [{ error: { message: `${testKey} is unknown`, status: testKey } }] },
    { status: 500, body: `${"-".repeat(495)}${testKey}` },
  ])("that quotes the key with $status is reported without it", async (reply) => {
    await failWith(reply);
  });

  test("of a server that is not there names it, as one that may pass", async () => {
    const server = openAiServer();
    server[Symbol.dispose]();
    const error = errorOf(await eventsOf(await open(server)));
    expect(error.message).toMatch(/^could not reach 127\.0\.0\.1:\d+: \w+\. Is the server running/);
    expect(error.failure.isTransient).toBe(true);
  });

  test.each<[string, boolean, object | string]>([
    ["The model is overloaded", true, { message: "The model is overloaded", code: 1305 }],
    ["404 NOT_FOUND", true, { code: 500, msg: "404 NOT_FOUND", success: false }],
    ["Not loaded", true, { detail: "Not loaded" }],
    [
      "insufficient balance",
      false,
      { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
    ],
    ["It is busy", true, [{ error: { code: 503, message: "It is busy", status: "UNAVAILABLE" } }]],
    ["It is busy", true, `data: ${JSON.stringify({ message: "It is busy" })}\n\n`],
    ["It is busy", true, "event: error\ndata: It is busy\n\n"],
  ])("instead of an answer, without an error field, says: %s", async (says, isTransient, body) => {
    const answer =
      typeof body === "string"
        ? new Response(body, { headers: { "content-type": "text/event-stream" } })
        : Response.json(body);
    const [text, { headers }] = [await answer.text(), answer];
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(text, { headers }) });
    const error = errorOf(await eventsOf(await openAt(server.url.href)));
    expect([error.message.includes(says), error.failure.isTransient]).toEqual([true, isTransient]);
  });
});

describe("an answer that breaks off", () => {
  const failing = (error: unknown): readonly Chunk[] => [...half, { error, choices: [] }];

  test.each<{ title: string; reply: OpenAiReply; says: string; isTransient: boolean }>([
    {
      title: "ends cleanly without a finish reason",
      reply: { chunks: half, done: false },
      says: "ended before it was complete",
      isTransient: true,
    },
    {
      title: "says [DONE] without a finish reason, in the middle of a call",
      reply: { chunks: [...half, ...answerChunks([{ id: "1", name: "a", json: ['{"x":'] }]).slice(1, 3)] },
      says: "ended before it was complete",
      isTransient: true,
    },
    {
      title: "is a document without a finish reason",
      reply: {
        chunks: [...half, { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }].slice(0, 3),
        form: "document",
      },
      says: "ended before it was complete",
      isTransient: true,
    },
    {
      title: "is ended by an error",
      reply: { chunks: failing({ type: "server_error", code: null, message: "Too\nmuch" }), end: "hang" },
      says: "stopped with server_error: Too much",
      isTransient: true,
    },
    {
      title: "is ended by an error whose code is a status that may pass",
      reply: { chunks: failing({ code: 502, message: "Upstream" }), end: "hang" },
      says: "Upstream",
      isTransient: true,
    },
    {
      title: "is ended by an error whose code is a status that stays",
      reply: { chunks: failing({ code: 402, message: "No credit" }), end: "hang" },
      says: "No credit",
      isTransient: false,
    },
    {
      title: "is ended by an error that is a text",
      reply: { chunks: failing("Model crashed"), end: "hang" },
      says: "Model crashed",
      isTransient: true,
    },
    {
      title: "is ended by an error that is the whole event",
      reply: {
        chunks: [...half, { object: "error", message: "Bad", type: "BadRequestError", code: 400 }],
        end: "hang",
      },
      says: "BadRequestError: Bad",
      isTransient: false,
    },
    {
      title: "is ended by a finish reason that is a failure",
      reply: {
        chunks: [...half, { choices: [{ index: 0, delta: {}, finish_reason: "insufficient_system_resource" }] }],
      },
      says: "insufficient_system_resource",
      isTransient: true,
    },
    {
      title: "is ended since the model made a call that cannot be read",
      reply: {
        chunks: [
          ...half,
          { choices: [{ index: 0, delta: {}, finish_reason: "function_call_filter: MALFORMED_FUNCTION_CALL" }] },
        ],
      },
      says: "MALFORMED_FUNCTION_CALL",
      isTransient: true,
    },
    {
      title: "because the money is used up",
      reply: { chunks: failing({ type: "insufficient_quota", code: "insufficient_quota", message: "Pay" }) },
      says: "insufficient_quota",
      isTransient: false,
    },
  ])(
    "because it $title keeps its text and says whether a further attempt may go well",
    async ({ reply, says, isTransient }) => {
      using server = openAiServer(reply);
      const events = await eventsOf(await open(server));
      const error = errorOf(events);
      expect(error.message).toContain(says);
      expect(error.failure.isTransient).toBe(isTransient);
      if (!("form" in reply)) expect<unknown>(endOf(events).message.content.slice(0, 1)).toEqual(halfText);
      expect(server.requests.length).toBe(1);
    },
  );

  test("inside a tool call leaves each of its calls unfit to run but the whole ones", async () => {
    const chunks = answerChunks([
      { id: "1", name: "a", json: ["{}"] },
      { id: "2", name: "b", json: ["{"] },
    ]);
    using server = openAiServer({ chunks: chunks.slice(0, 5), done: false });
    const { message } = endOf(await eventsOf(await open(server)));
    expect(message).toMatchObject({ stopReason: "error", content: [{ malformed: "{}" }, { malformed: "{" }] });
  });

  test("with data that is no JSON is an error that may pass", async () => {
    const fetch = () => new Response('data: {"choices":\n\n', { headers: { "content-type": "text/event-stream" } });
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    expect(errorOf(await eventsOf(await openAt(server.url.href)))).toMatchObject({
      message: expect.stringContaining("not JSON"),
      failure: { kind: "unreadable", isTransient: true },
    });
  });

  test("because it has no end is an error", async () => {
    const event = new TextEncoder().encode(`data: {"choices":[{"delta":{"content":""}}]}\n\n`.repeat(20_000));
    const body = () => new ReadableStream({ pull: (controller) => controller.enqueue(event) });
    const fetch = () => new Response(body(), { headers: { "content-type": "text/event-stream" } });
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    expect(errorOf(await eventsOf(await openAt(server.url.href))).message).toContain("that is too long");
  });
});

describe("an abort", () => {
  const hanging: OpenAiReply = { chunks: half, done: false, end: "hang" };
  const untilClosed = (server: OpenAiServer): Promise<void> =>
    eventually(() => expect(server.requests.at(-1)?.closed.aborted).toBe(true));

  test("in mid-stream closes the request, and keeps and marks the text", async () => {
    using server = openAiServer(hanging);
    const controller = new AbortController();
    const events: ModelEvent[] = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), controller.signal)) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    expect<unknown>(endOf(events)).toMatchObject({
      type: "error",
      message: { stopReason: "aborted", content: halfText },
    });
    await untilClosed(server);
  });

  test("before the answer begins closes the request", async () => {
    using server = openAiServer({ ...hanging, before: 60_000 });
    const controller = new AbortController();
    const events = eventsOf(await open(server), modelRequest("Hi"), controller.signal);
    await eventually(() => expect(server.requests).toHaveLength(1));
    controller.abort(new Error("the user left"));
    expect(endOf(await events)).toMatchObject({ type: "error", message: { stopReason: "aborted", content: [] } });
    await untilClosed(server);
  });
});
