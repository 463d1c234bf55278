import { describe, expect, test } from "bun:test";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { type AnthropicReply, answerEvents, textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";
import { eventually } from "../../support/eventually.ts";
import { endOf, eventsOf, modelRequest, told } from "../../support/model-request.ts";

const open = (server: AnthropicServer): Promise<LanguageModel> =>
  openModel("claude-test", { environment: server.environment });

const half = answerEvents([{ text: ["half an", " answer"] }]).slice(0, 5);
const hanging: AnthropicReply = { events: half, end: "hang" };

const untilClosed = (server: AnthropicServer): Promise<void> =>
  eventually(() => expect(server.requests.at(-1)?.closed.aborted).toBe(true));

describe("an abort", () => {
  test("in mid-stream closes the request, keeps the text and marks it", async () => {
    using server = anthropicServer(hanging);
    const controller = new AbortController();
    const events = [];
    for await (const event of (await open(server)).stream(modelRequest("Hi"), controller.signal)) {
      events.push(event);
      if (event.type === "text_delta") controller.abort();
    }
    expect(endOf(events)).toMatchObject({
      type: "error",
      message: { stopReason: "aborted", errorMessage: "aborted", content: [{ type: "text", text: "half an answer" }] },
    });
    expect(endOf(events).message).not.toHaveProperty("failure");
    await untilClosed(server);
  });

  test("before the answer begins closes the request", async () => {
    using server = anthropicServer({ ...hanging, before: 60_000 });
    const controller = new AbortController();
    const events = eventsOf(await open(server), modelRequest("Hi"), controller.signal);
    await eventually(() => expect(server.requests).toHaveLength(1));
    controller.abort(new Error("the user left"));
    expect(endOf(await events)).toMatchObject({ type: "error", message: { stopReason: "aborted", content: [] } });
    await untilClosed(server);
  });

  test("of an answer that does not stream closes the request", async () => {
    using server = anthropicServer(hanging);
    const controller = new AbortController();
    const events = eventsOf(await open(server), modelRequest("Hi", { stream: false }), controller.signal);
    await eventually(() => expect(server.requests).toHaveLength(1));
    controller.abort();
    expect(endOf(await events)).toMatchObject({ type: "error", message: { stopReason: "aborted", content: [] } });
    await untilClosed(server);
  });

  test("before the request sends none", async () => {
    using server = anthropicServer();
    const events = await eventsOf(await open(server), modelRequest("Hi"), AbortSignal.abort());
    expect(told(events)).toEqual(["error"]);
    expect(endOf(events).message.stopReason).toBe("aborted");
    expect(server.requests.length).toBe(0);
  });

  test("before the answer is asked for sends none", async () => {
    using server = anthropicServer(textReply("No."));
    const controller = new AbortController();
    const answer = (await open(server)).stream(modelRequest("Hi"), controller.signal);
    controller.abort();
    expect(endOf(await Array.fromAsync(answer)).message.stopReason).toBe("aborted");
    expect(server.requests.length).toBe(0);
  });

  test("by a reader who leaves closes the request", async () => {
    using server = anthropicServer(hanging);
    for await (const event of (await open(server)).stream(modelRequest("Hi"), new AbortController().signal)) {
      if (event.type === "text_delta") break;
    }
    await untilClosed(server);
  });

  test("leaves nothing behind that keeps a program from ending", async () => {
    using server = anthropicServer(hanging);
    const program = `
      import { openModel } from "@mdx-ai/models";
      const model = await openModel("claude-x", { environment: ${JSON.stringify(server.environment)} });
      const controller = new AbortController();
      const messages = [{ role: "user", content: [{ type: "text", text: "Hi" }], timestamp: 0 }];
      const unsent = model.stream({ system: "", tools: [], messages }, AbortSignal.abort());
      for await (const event of model.stream({ system: "", tools: [], messages }, controller.signal)) {
        if (event.type === "text_delta") controller.abort();
      }
      for await (const event of unsent);
    `;
    const child = Bun.spawn([process.execPath, "-e", program], {
      cwd: `${import.meta.dir}/../../..`,
      stdout: "pipe",
      stderr: "pipe",
    });
    // A timer of the watch for silence would last two minutes.
    expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  });
});
