import { describe, expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { type LanguageModel, openModel } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { refusingServer } from "../support/refusing-server.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type WireReply, wireServer, wires } from "../support/wire-server.ts";

const typed = <Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

const outcomeOf = (events: readonly AgentEvent[]) => typed(events, "agent_end")[0]?.outcome;

/** The events of prompts of one session, and its messages, in this process and when it is opened again. */
async function run(model: LanguageModel, inputs: readonly string[], retries: number | readonly number[] = 0) {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [], { model, retries });
  const events: AgentEvent[][] = [];
  for (const input of inputs) events.push(await Array.fromAsync(agent.session().prompt(input)));
  const messages = await agent.session().messages();
  await agent.close();
  const again = await openScriptAgent(directory.path, [], { model });
  expect(await again.session().messages()).toEqual(messages);
  await again.close();
  return { events: events.flat(), messages };
}

const done: WireReply = { parts: [{ text: ["Done."] }] };

describe.each(wires)("over %s", (wire) => {
  test("a refused field, limit and so on cost a prompt no retry", async () => {
    const message =
      wire === "anthropic" ? "max_tokens: 64000 > 8192" : "Unknown parameter: 'stream'. It is not supported";
    using server = wireServer(wire, { status: 400, message }, done);
    const { events } = await run(await server.open(), ["Hi"]);
    expect(outcomeOf(events)).toBe("done");
    expect(typed(events, "request_adapted")).toMatchObject([{ reason: expect.stringContaining(message) }]);
    expect(server.requests).toHaveLength(2);
  });

  test("a call that the server could not read is asked for again, as often as retries are left, and then shown", async () => {
    const refusal: WireReply = { status: 400, message: "Failed to call a function. Please adjust your prompt." };
    using server = wireServer(wire, refusal, done, refusal, refusal);
    const { events } = await run(await server.open(), ["Hi", "Again"], [0]);
    expect(typed(events, "model_retry")).toHaveLength(2);
    expect(typed(events, "agent_end").map(({ outcome }) => outcome)).toEqual(["done", "error"]);
    expect(typed(events, "turn_end").at(-1)?.message.errorMessage).toContain("Failed to call a function");
  });

  test("a limit of pace whose text has the wait is waited for, and not a long one", async () => {
    const soon: WireReply = {
      status: 429,
      message: "You exceeded your current quota, check your plan and billing details. Please retry in 20ms.",
    };
    const late: WireReply = { status: 429, message: "Rate limit reached. Please try again in 7m13.44s." };
    using server = wireServer(wire, soon, done, late);
    const { events } = await run(await server.open(), ["Hi", "Again"], [0, 0]);
    expect(typed(events, "model_retry").map(({ delay }) => delay)).toEqual([20]);
    expect(typed(events, "turn_end").at(-1)?.message.errorMessage).toContain("7 minutes 14 seconds");
    expect(server.requests).toHaveLength(3);
  });

  test.each([
    "prompt token count of 137000 exceeds the limit of 128000",
    "Range of input length should be [1, 129024]",
  ])("a full window is summarised: %s", async (message) => {
    const long: WireReply = {
      parts: [{ text: [Array.from({ length: 600 }, (_, index) => `word${index}`).join(" ")] }],
    };
    const summary: WireReply = { parts: [{ text: ["They talked."] }] };
    using server = wireServer(wire, long, { status: 400, message }, summary, done);
    const { events } = await run(await server.open(), ["Talk", "On"]);
    expect(typed(events, "context_compacted")).toHaveLength(1);
    expect(outcomeOf(events)).toBe("done");
    expect(server.requests[3]?.text).toContain("They talked.");
  });
});

const failedCall = {
  message: "Failed to call a function. Please adjust your prompt. See 'failed_generation' for more details.",
  type: "invalid_request_error",
  code: "tool_use_failed",
  failed_generation: '<function=bash{"command": "ls"}</function>',
};

test.each([
  ["at once", () => Response.json({ error: failedCall }, { status: 400 })],
  [
    "in mid-stream",
    () =>
      new Response(
        `data: {"choices":[{"delta":{"content":"I look"}}]}\n\nevent: error\ndata: ${JSON.stringify({ error: { ...failedCall, status_code: 400 } })}\n\n`,
        {
          headers: { "content-type": "text/event-stream" },
        },
      ),
  ],
])("what the model wrote is shown where the server could not read it %s", async (_, respond) => {
  let requests = 0;
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch() {
      requests++;
      return respond();
    },
  });
  const model = await openModel("groq/m", { environment: {}, apiKey: "k", baseUrl: `${server.url.href}v1` });
  const { events } = await run(model, ["Hi"], [0]);
  expect(requests).toBe(2);
  expect(typed(events, "turn_end")[0]?.message.errorMessage).toContain(
    `The model wrote: ${failedCall.failed_generation}`,
  );
});

test("each refusal of a request is learned from, also of the one for a summary", async () => {
  let summaries = 0;
  using server = refusingServer((body) => {
    const text = JSON.stringify(body);
    if ("stream_options" in body) return { error: { message: "Unknown parameter: stream_options" } };
    if (text.includes("Summarise this conversation.") && "temperature" in body) {
      summaries++;
      return { error: { message: "temperature: only the default value is supported" } };
    }
    const isLong = !text.includes("<summary>") && !text.includes("Summarise") && text.includes('"Done."');
    return isLong ? { error: { message: "prompt is too long" } } : undefined;
  });
  using directory = agentDirectory({
    "agent.mdx": "---\ntemperature: 0.5\n---\n# Agent: Minimal\n\n## Purpose\n\nBe tested.\n",
  });
  const agent = await openScriptAgent(directory.path, [], { model: await server.open(), retries: 0 });
  const first = await Array.fromAsync(agent.session().prompt(`Hi ${"long ".repeat(500)}`));
  const second = await Array.fromAsync(agent.session().prompt("On"));
  await agent.close();
  expect([outcomeOf(first), outcomeOf(second), summaries]).toEqual(["done", "done", 1]);
  expect(typed([...first, ...second], "request_adapted")).toHaveLength(2);
});

test("101 images in a session do not end it: the oldest leave", async () => {
  const images = (body: unknown) => JSON.stringify(body).split('image_url":{').length - 1;
  using server = refusingServer((body) =>
    images(body) > 100
      ? { error: { message: `Too much media: 0 document pages + ${images(body)} images > 100` } }
      : undefined,
  );
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [], { model: await server.open(), retries: 0 });
  const image = { type: "image", data: "aGk=", mimeType: "image/png" } as const;
  const events = await Array.fromAsync(
    agent.session().prompt("Look", { images: Array.from({ length: 101 }, () => image) }),
  );
  const next = await Array.fromAsync(agent.session().prompt("And now?"));
  await agent.close();
  expect([outcomeOf(events), outcomeOf(next)]).toEqual(["done", "done"]);
  expect(typed([...events, ...next], "request_adapted")).toHaveLength(1);
});
