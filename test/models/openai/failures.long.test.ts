import { describe, expect, test } from "bun:test";
import type { ModelEvent } from "@mdx-ai/models";
import { errorOf, failWith, half, halfText, open, openAt } from "../../support/failing-openai.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";
import { type Chunk, failureReply } from "../../support/openai-replies.ts";
import { openAiServer, testKey } from "../../support/openai-server.ts";

describe("a failure before the answer", () => {
  test("because the money is used up is final", async () => {
    const error = await failWith(failureReply(429, "insufficient_quota", { code: "insufficient_quota" }));
    expect(error.failure).toEqual({ status: 429, kind: "insufficient_quota", isTransient: false });
  });

  test("of a server that is no model names it", async () => {
    using server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }),
    });
    const error = errorOf(await eventsOf(await openAt(server.url.href)));
    for (const word of [server.url.host, "text/html", "OPENAI_BASE_URL"]) expect(error.message).toContain(word);
  });

  test("of a server whose JSON is no answer names it", async () => {
    using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json({ hello: "there" }) });
    expect(errorOf(await eventsOf(await openAt(server.url.href))).message).toContain("sent no answer");
  });
});

describe("an answer that breaks off", () => {
  const failing = (error: unknown): readonly Chunk[] => [...half, { error, choices: [] }];

  test("because it is too long in mid-stream has the stop reason contextExceeded", async () => {
    using server = openAiServer({ chunks: failing({ code: "context_length_exceeded", message: "Too long" }) });
    expect(endOf(await eventsOf(await open(server))).message.stopReason).toBe("contextExceeded");
  });

  test("with an error that quotes the key is reported without it", async () => {
    using server = openAiServer({ chunks: failing({ type: testKey, message: `Who is ${testKey}?` }) });
    expect(errorOf(await eventsOf(await open(server))).message).toContain("Who is [key]?");
  });

  test("because it loses its connection keeps its text", async () => {
    using server = openAiServer({ chunks: half, done: false, end: "hang" });
    const events: ModelEvent[] = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), new AbortController().signal)) {
      events.push(event);
      if (event.type === "text_delta") server.breakOff();
    }
    expect(errorOf(events)).toMatchObject({
      message: expect.stringContaining("lost the connection"),
      failure: { isTransient: true },
    });
    expect<unknown>(endOf(events).message.content).toEqual(halfText);
  });

  test.each(["before it begins", "in its middle"])(
    "because the server is silent %s is an error that may pass",
    async (when) => {
      const before = when === "before it begins" ? { before: 60_000 } : {};
      using server = openAiServer({ chunks: half, done: false, end: "hang", ...before });
      const error = errorOf(await eventsOf(await open(server, 0.2)));
      expect(error).toMatchObject({
        message: expect.stringContaining("silent"),
        failure: { kind: "silence", isTransient: true },
      });
    },
  );
});

describe("an abort", () => {
  test("before the request sends none", async () => {
    using server = openAiServer();
    expect(told(await eventsOf(await open(server), modelRequest("Hi"), AbortSignal.abort()))).toEqual(["error"]);
    expect(server.requests.length).toBe(0);
  });
});
