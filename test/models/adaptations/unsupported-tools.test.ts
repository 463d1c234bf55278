import { expect, test } from "bun:test";
import { askAdapting } from "../../support/adapting-model.ts";
import { modelRequest, toolSchema } from "../../support/model-request.ts";
import { refusingServer } from "../../support/refusing-server.ts";

const tools = [toolSchema("look", "Looks", {}), toolSchema("see", "Sees", {})];

test.each([
  "registry.ollama.ai/library/gemma3:latest does not support tools",
  'No endpoints found that support tool use. Try disabling "look".',
  "This model doesn't support tool calling",
  "tool use is not supported by this model",
])("a model that refuses any tools gets none from then on, which it says once: %s", async (message) => {
  using server = refusingServer((body) => ("tools" in body ? { error: { message } } : undefined));
  const model = await server.open();
  const { changes, answer } = await askAdapting(model, modelRequest("Hi", { tools }));
  expect([answer.stopReason, changes]).toEqual([
    "stop",
    ["the model cannot call tools, so it receives none from now on"],
  ]);
  expect(await askAdapting(model, modelRequest("Again", { tools }))).toMatchObject({ changes: [] });
  expect(server.bodies.map((body) => "tools" in body)).toEqual([true, false, false]);
});
