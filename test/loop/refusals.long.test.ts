import { describe, expect, test } from "bun:test";
import { agentDirectory } from "../support/agent-directory.ts";
import { outcomeOf, typed } from "../support/event-order.ts";
import { done, run } from "../support/refusal-bench.ts";
import { refusingServer } from "../support/refusing-server.ts";
import { openScriptAgent } from "../support/script-agent.ts";
import { type WireReply, wireServer, wires } from "../support/wire-server.ts";

describe.each(wires)("over %s", (wire) => {
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
