import { describe, expect, test } from "bun:test";
import { type LanguageModel, type ModelEvent, openModel } from "@mdx-ai/models";
import { answerEvents, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer, streamBytes } from "../../support/anthropic-server.ts";
import { failureOf } from "../../support/model-failure.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

const open = (server: AnthropicServer, timeout?: number): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment, ...(timeout !== undefined && { timeout }) });

const half = answerEvents([{ text: ["half an", " answer"] }]).slice(0, 5);
const halfText = [{ type: "text" as const, text: "half an answer" }];

describe("an answer that breaks off is an error that keeps the text", () => {
  test.each([
    { title: "ends cleanly without message_stop", end: "clean", extra: [], says: "ended before it was complete" },
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
  ] as const)("because it $title", async ({ end, extra, says }) => {
    using server = anthropicServer({ events: [...half, ...extra], end });
    const events = await eventsOf(await open(server));
    expect(failureOf(events).message).toContain(says);
    expect(failureOf(events).failure.isTransient).toBe(true);
    expect(endOf(events).message.content).toEqual(halfText);
    expect(told(events)).toEqual(["start", "text_start 0", "text_delta 0 half an answer", "error"]);
    expect(server.requests.length).toBe(1);
  });

  test("because it loses its connection", async () => {
    using server = anthropicServer({ events: half, end: "hang" });
    const events: ModelEvent[] = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), new AbortController().signal)) {
      events.push(event);
      if (event.type === "text_delta") server.breakOff();
    }
    expect(failureOf(events).message).toContain("lost the connection");
    expect(failureOf(events).failure).toEqual({ kind: "connection", isTransient: true });
    expect(endOf(events).message.content).toEqual(halfText);
    expect(server.requests.length).toBe(1);
  });

  test("because the server falls silent, which is no silence as long as it is heard from", async () => {
    using server = anthropicServer(
      { events: half, end: "hang" },
      { ...textReply("slow"), chunk: 200, pause: 200 },
      { ...textReply("never"), before: 600_000 },
    );
    const model = await open(server, 1);
    const events = await eventsOf(model);
    expect(failureOf(events).message).toEndWith(" was silent for 1 second");
    expect(failureOf(events).failure).toEqual({ kind: "silence", isTransient: true });
    expect(endOf(events).message.content).toEqual(halfText);
    expect(endOf(await eventsOf(model)).type).toBe("done");
    expect(failureOf(await eventsOf(model)).failure).toEqual({ kind: "silence", isTransient: true });
    expect(server.requests.length).toBe(3);
  });

  test.each([
    { title: "ends before it began", events: [{ type: "message_stop" }] },
    { title: "holds nothing and no reason", events: [{ type: "message_start" }, { type: "message_stop" }] },
  ])("because it $title", async ({ events }) => {
    using server = anthropicServer({ events });
    const error = failureOf(await eventsOf(await open(server)));
    expect(error.message).toBe("anthropic sent no answer");
    expect(error.failure.isTransient).toBe(true);
  });

  test("because it ends anywhere in the middle of its bytes", async () => {
    const bytes = streamBytes(answerEvents([{ text: ["ganz, 🦊"] }, { id: "t", name: "a", json: ['{"b":', "1}"] }]));
    // A reason to stop is the end, though `message_stop` does not come.
    const end = Buffer.from(bytes).indexOf("event: message_delta") + "event: message_delta".length;
    const cuts = Array.from({ length: 60 }, (_, place) => Math.floor(((place + 1) * end) / 61));
    let requests = 0;
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(bytes.subarray(0, cuts[requests++]), { headers: { "content-type": "text/event-stream" } }),
    });
    const environment = { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.href };
    const model = await openModel("claude-test", { environment });
    for (const _ of cuts) {
      expect(failureOf(await eventsOf(model)).failure).toEqual({ kind: "unfinished", isTransient: true });
    }
    expect(requests).toBe(cuts.length);
  });

  test.each([
    { type: "overloaded_error", isTransient: true },
    { type: "api_error", isTransient: true },
    { type: "timeout_error", isTransient: true },
    { type: "rate_limit_error", isTransient: true },
    { type: "invalid_request_error", isTransient: false },
    { type: "authentication_error", isTransient: false },
    { type: "permission_error", isTransient: false },
    { type: "billing_error", isTransient: false },
    { type: "not_found_error", isTransient: false },
    { type: "content_too_large", isTransient: false },
  ])("with its kind and without a status: $type", async ({ type, isTransient }) => {
    using server = anthropicServer({ events: [...half, { type: "error", error: { type, message: "Internal" } }] });
    expect(failureOf(await eventsOf(await open(server))).failure).toEqual({ kind: type, isTransient });
  });

  test("finally where the limit of spending is reached in the middle", async () => {
    const error = { type: "rate_limit_error", message: "No", details: { error_code: "enforced_spend_limit_reached" } };
    using server = anthropicServer({ events: [...half, { type: "error", error }] });
    expect(failureOf(await eventsOf(await open(server))).failure.isTransient).toBe(false);
  });

  test("and a call that was not whole then is malformed", async () => {
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

  /** How an answer ends that is so many lines of data. */
  async function ends(...lines: readonly string[]): ReturnType<typeof eventsOf> {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () =>
        new Response(lines.map((line) => `data: ${line}\n\n`).join(""), {
          headers: { "content-type": "text/event-stream" },
        }),
    });
    const environment = { ANTHROPIC_API_KEY: "sk-ant-test-key", ANTHROPIC_BASE_URL: server.url.href };
    return await eventsOf(await openModel("claude-test", { environment }));
  }

  test("because its data is no JSON", async () => {
    const error = failureOf(await ends('{"type":'));
    expect(error.message).toContain("not JSON");
    expect(error.failure).toEqual({ kind: "unreadable", isTransient: true });
  });

  test("because a gateway reports its failure in its own frame", async () => {
    const error = failureOf(await ends('{"error":{"code":502,"message":"upstream is gone"}}'));
    expect(error.message).toContain("upstream is gone");
    expect(error.failure).toEqual({ status: 502, kind: "error", isTransient: true });
    expect(failureOf(await ends('{"error":"no"}', "[DONE]")).failure.isTransient).toBe(true);
    expect(failureOf(await ends('{"error":{"code":402,"message":"no money"}}')).failure.isTransient).toBe(false);
  });

  test("but not because of data that belongs to no event", async () => {
    const events = answerEvents([{ text: ["Yes."] }]).map((event) => JSON.stringify(event));
    const all = await ends("", "pong", "[]", ...events.slice(0, 4), "null", ...events.slice(4), "[DONE]");
    expect(endOf(all)).toMatchObject({ type: "done", message: { content: [{ text: "Yes." }] } });
  });
});
