import { expect, test } from "bun:test";
import { type ModelParameters, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest } from "../support/model-request.ts";

const environment = { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k", MISTRAL_API_KEY: "k" };
const none: readonly string[] = [];

test.each<[reference: string, parameters: ModelParameters, refused: readonly string[]]>([
  ["anthropic/claude-sonnet-5-5", { temperature: 0 }, ["temperature"]],
  ["anthropic/claude-sonnet-5-5", {}, none],
  ["anthropic/other-model", { temperature: 0.5 }, none],
  ["anthropic/other-model", { temperature: 0.5, thinking: "adaptive" }, ["temperature"]],
  ["openai/gpt-4.1", { temperature: 0.5 }, none],
  ["openai/gpt-5", { temperature: 0.5 }, ["temperature"]],
  ["openai/gpt-5.2", { temperature: 0.5 }, none],
  ["openai/gpt-5.2", { temperature: 0.5, effort: "high" }, ["temperature"]],
  ["mistral/mistral-small-latest", { temperature: 0.5, effort: "high" }, none],
])("of %s with %j a request leaves out what the model says", async (reference, parameters, refused) => {
  const bodies: object[] = [];
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: async (request) => {
      bodies.push(JSON.parse(await request.text()));
      return new Response("no", { status: 401 });
    },
  });
  const model = await openModel(reference, { environment, baseUrl: server.url.href });
  expect(model.refuses?.(parameters)).toEqual(refused);
  endOf(await eventsOf(model, modelRequest("Hi", parameters)));
  const isSent = parameters.temperature !== undefined && refused.length === 0;
  expect(bodies.map((body) => "temperature" in body)).toEqual([isSent]);
});
