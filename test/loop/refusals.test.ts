import { describe, expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { outcomeOf, typed } from "../support/event-order.ts";
import { done, run } from "../support/refusal-bench.ts";
import { type WireReply, wireServer, wires } from "../support/wire-server.ts";

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
