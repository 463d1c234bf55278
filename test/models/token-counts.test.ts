import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest } from "../support/model-request.ts";

/** The usage of an answer in which the server gives this number of tokens as JSON. */
async function usageWith(tokens: string): Promise<unknown> {
  const usage = `{"input_tokens": 7, "output_tokens": 3, "cache_read_input_tokens": ${tokens}}`;
  const answer = `{"type": "message", "content": [], "stop_reason": "end_turn", "usage": ${usage}}`;
  const headers = { "content-type": "application/json" };
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response(answer, { headers }) });
  const model = await openModel("anthropic/m", { environment: {}, apiKey: "k", baseUrl: server.url.href });
  return endOf(await eventsOf(model, modelRequest("Hi"))).message.usage;
}

const counted = { input: 7, output: 3, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 10 };

test.each(["-1", "1.5", "1e999", String(2 ** 53), '"7"', "null", "{}"])("%s is no number of tokens", async (tokens) => {
  expect(await usageWith(tokens)).toEqual(counted);
});

test("a number of tokens counts", async () => {
  expect(await usageWith("9")).toEqual({ ...counted, cacheRead: 9, total: 19 });
});
