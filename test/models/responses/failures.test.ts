import { describe, expect, test } from "bun:test";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { eventually } from "../../support/eventually.ts";
import { failureOf } from "../../support/model-failure.ts";
import { endOf, eventsOf, modelRequest } from "../../support/model-request.ts";
import { testKey } from "../../support/openai-server.ts";
import {
  failureReply,
  type ResponseEvent,
  type ResponsesReply,
  responseEvents,
} from "../../support/responses-replies.ts";
import { type ResponsesServer, responsesServer } from "../../support/responses-server.ts";

const open = ({ environment }: ResponsesServer, timeout?: number): Promise<LanguageModel> =>
  openModel("openai/gpt-5.4", { environment, ...(timeout !== undefined && { timeout }) });

const call = { id: "call_1", name: "look", json: ['{"text":', '"sea"}'] };
/** A text and a whole call, without what ends an answer. */
const unended = responseEvents([{ text: ["Half"] }, call]).slice(0, -1);
const failed = (error: unknown): ResponsesReply => ({
  events: [...unended, { type: "response.failed", response: { status: "failed", output: [], error } }],
});
const broken = (event: ResponseEvent): ResponsesReply => ({ events: [...unended, event], end: "hang" });

describe("an answer that breaks off", () => {
  test.each<[string, ResponsesReply, string, boolean]>([
    ["ends without response.completed", { events: unended }, "ended before it was complete", true],
    ["is a document that is half", { events: unended, form: "document" }, "ended before it was complete", true],
    ["fails", failed({ code: "server_error", message: "Sorry\n!" }), "stopped with server_error: Sorry !", true],
    ["is too fast", failed({ code: "rate_limit_exceeded", message: "Wait" }), "rate_limit_exceeded: Wait", true],
    ["fails without a word", failed(null), "stopped with failed", true],
    ["has a bad prompt", failed({ code: "invalid_prompt", message: "No" }), "invalid_prompt", false],
    ["is against a policy", failed({ code: "bio_policy", message: "No" }), "bio_policy", false],
    ["is misaligned", failed({ code: "misalignment_policy_violation", message: "No" }), "misalignment_policy", false],
    ["asks in the wrong region", failed({ code: "data_residency_mismatch", message: "No" }), "data_residency", false],
    ["has a bad image", failed({ code: "image_parse_error", message: "No" }), "image_parse_error", false],
    [
      "has an error",
      broken({ type: "error", code: "server_error", message: "Oh", param: null }),
      "server_error: Oh",
      true,
    ],
    [
      "has an error within",
      broken({ type: "error", error: { type: "insufficient_quota", message: "Pay" } }),
      "Pay",
      false,
    ],
    ["is canceled", broken({ type: "response.cancelled", response: {} }), "stopped with cancelled", true],
  ])("since it %s is void, and says whether another attempt may succeed", async (_title, reply, says, isTransient) => {
    using server = responsesServer(reply);
    const events = await eventsOf(await open(server));
    const end = endOf(events);
    expect(end.type).toBe("error");
    expect(failureOf(events).failure.isTransient).toBe(isTransient);
    expect(end.message.errorMessage).toContain(says);
    expect(end.message.stopReason).toBe("error");
    expect(server.requests.length).toBe(1);
  });

  test.each([
    ["Rate limit reached: Limit 200000. Please try again in 6.379s. Visit https://…", true, 6379],
    ["Please try again in 120ms.", true, 120],
    ["Please try again in 20 seconds.", true, 20_000],
    ["Please try again in 90s.", false, 90_000],
    ["Please try again in a while.", true, undefined],
  ])("since it is too fast waits as long as the server says: %s", async (message, isTransient, retryAfter) => {
    using server = responsesServer(failed({ code: "rate_limit_exceeded", message }));
    const { failure } = failureOf(await eventsOf(await open(server)));
    expect([failure.isTransient, failure.retryAfter]).toEqual([isTransient, retryAfter]);
  });

  test("wherever it is cut keeps only what had arrived", async () => {
    for (let count = 0; count < unended.length; count++) {
      using server = responsesServer({ events: unended.slice(0, count) });
      expect(endOf(await eventsOf(await open(server))).message.stopReason).toBe("error");
    }
  });

  test("inside a call leaves it unfit to run", async () => {
    using server = responsesServer({ events: unended.slice(0, -2) });
    const { content } = endOf(await eventsOf(await open(server))).message;
    expect(content).toMatchObject([{ text: "Half" }, { arguments: {}, malformed: '{"text":"sea"}' }]);
  });

  test("since it is too long has the stop reason contextExceeded", async () => {
    using server = responsesServer(failed({ code: "context_length_exceeded", message: "Too long" }));
    expect(endOf(await eventsOf(await open(server))).message.stopReason).toBe("contextExceeded");
  });

  test("with data that is not JSON may succeed at another attempt", async () => {
    const fetch = () => new Response('data: {"type":\n\n', { headers: { "content-type": "text/event-stream" } });
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch });
    const model = await openModel("openai/gpt-5.4", { environment: {}, apiKey: "k", baseUrl: server.url.href });
    expect(failureOf(await eventsOf(model)).failure).toMatchObject({ kind: "unreadable", isTransient: true });
  });

  test("since the server is silent may succeed at another attempt", async () => {
    using server = responsesServer({ events: unended, end: "hang" });
    expect(failureOf(await eventsOf(await open(server, 0.2))).failure).toMatchObject({
      kind: "silence",
      isTransient: true,
    });
  });

  test("since it is aborted closes the request and keeps its text", async () => {
    using server = responsesServer({ events: unended.slice(0, 5), end: "hang" });
    const controller = new AbortController();
    const events = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), controller.signal)) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    expect<unknown>(endOf(events).message).toMatchObject({ stopReason: "aborted", content: [{ text: "Half" }] });
    await eventually(() => expect(server.requests.at(-1)?.closed.aborted).toBe(true));
  });
});

describe("a failure before the answer", () => {
  test.each<[number, Parameters<typeof failureReply>[2], object]>([
    [401, { code: "invalid_api_key" }, { isTransient: false }],
    [429, { headers: { "retry-after": "2" } }, { isTransient: true, retryAfter: 2000 }],
    [429, { message: "Please try again in 3s." }, { isTransient: true, retryAfter: 3000 }],
    [429, { message: "Try again in 3s.", headers: { "retry-after": "2" } }, { isTransient: true, retryAfter: 2000 }],
    [503, {}, { isTransient: true }],
  ])("of status %d is as over any protocol", async (status, extra, failure) => {
    using server = responsesServer(failureReply(status, "some_error", extra));
    expect(failureOf(await eventsOf(await open(server))).failure).toMatchObject({ status, ...failure });
  });

  const SETTING = "If the server has no /responses, set api: chat";

  test.each([404, 405, 501])("of status %d says how to ask a server that lacks the interface", async (status) => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => Response.json({ detail: "Not Found" }, { status }),
    });
    const environment = { OPENAI_API_KEY: testKey, OPENAI_BASE_URL: server.url.href };
    const { message, failure } = failureOf(await eventsOf(await openModel("openai/gpt-5.4", { environment })));
    expect(message).toContain(SETTING);
    expect(failure).toMatchObject({ status });
  });

  test("of a model that OpenAI does not have says nothing of that", async () => {
    using server = responsesServer(failureReply(404, "invalid_request_error", { code: "model_not_found" }));
    expect(failureOf(await eventsOf(await open(server))).message).not.toContain(SETTING);
  });

  test("of a server whose JSON is no answer names its address", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ choices: [] }) });
    const model = await openModel("openai/gpt-5.4", {
      environment: { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.url.href },
    });
    expect(failureOf(await eventsOf(model)).message).toContain("sent no answer. Is OPENAI_BASE_URL right?");
  });
});
