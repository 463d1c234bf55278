import { describe, expect, test } from "bun:test";
import { fromAiSdk, type LanguageModel, type ToolSchema } from "@mdx-ai/models";
import { aiSdkProvider, finishPart, textParts } from "../../support/ai-sdk-provider.ts";
import { endOf, eventsOf, modelRequest, told, toolResult, userMessage } from "../../support/model-request.ts";
import { wireServer, wires } from "../../support/wire-server.ts";

const list: ToolSchema = {
  name: "list_items",
  description: "Lists items",
  parameters: {
    type: "object",
    properties: {
      $top: { type: "integer" },
      top: { type: "string" },
      body: { type: "object", properties: { "@id": { type: "string" } } },
    },
    required: ["$top"],
  },
};

const sent = { top_2: 5, top: "x", body: { id: "7", top_2: 1 } };
const meant = { $top: 5, top: "x", body: { "@id": "7", top_2: 1 } };
const json = JSON.stringify(sent);

/** Asks twice, the second time with the call and its result in the history. */
async function askTwice(model: LanguageModel) {
  const asked = userMessage("Hi");
  const events = await eventsOf(model, modelRequest([asked], { tools: [list] }));
  const { message } = endOf(events);
  await eventsOf(model, modelRequest([asked, message, toolResult("c1", "none")], { tools: [list] }));
  return { events, message };
}

describe.each(wires)("parameters with names that vendors refuse, over %s", (wire) => {
  test("are renamed for the vendor, and back in its calls before anybody sees them", async () => {
    const call = { id: "c1", name: "list_items", json: [json.slice(0, 9), json.slice(9)] };
    const end = wire === "anthropic" ? "tool_use" : "tool_calls";
    using server = wireServer(wire, { parts: [call], stop: end }, { parts: [{ text: ["Done"] }] });
    const { events, message } = await askTwice(await server.open());
    expect(message.content).toMatchObject([{ type: "toolCall", name: "list_items", arguments: meant }]);
    expect(told(events).filter((line) => line.startsWith("toolcall"))).toStrictEqual([
      "toolcall_start 0",
      `toolcall_delta 0 ${JSON.stringify(meant)}`,
      "toolcall_end 0",
    ]);
    const [first = "", second = ""] = server.requests.map(({ text }) => text);
    expect(first).toContain('"required":["top_2"]');
    expect(first).not.toContain('"$top"');
    // In the history they have the names again that the model knows.
    expect(JSON.stringify(JSON.parse(second)).replaceAll("\\", "")).toContain(json);
    expect(toolsIn(second)).toBe(toolsIn(first));
  });

  test("whose arguments are cut off keep the text that came", async () => {
    const call = { id: "c1", name: "list_items", json: ['{"top_2": 5'] };
    using server = wireServer(wire, { parts: [call], stop: wire === "anthropic" ? "tool_use" : "tool_calls" });
    const { message } = endOf(await eventsOf(await server.open(), modelRequest("Hi", { tools: [list] })));
    expect(message.content).toMatchObject([{ arguments: {}, malformed: '{"top_2": 5' }]);
  });
});

const toolsIn = (body: string): string => JSON.stringify(JSON.parse(body).tools);

test("a provider of the AI SDK gets them renamed, too", async () => {
  const provider = aiSdkProvider([
    { parts: [{ type: "tool-call", toolCallId: "c1", toolName: "list_items", input: json }, finishPart("tool-calls")] },
    { parts: [...textParts("t", "Done"), finishPart()] },
  ]);
  const { message } = await askTwice(fromAiSdk(provider));
  expect(message.content).toMatchObject([{ arguments: meant }]);
  expect(JSON.stringify(provider.calls[0])).not.toContain('$top":');
  expect(JSON.stringify(provider.calls[1])).toContain(json);
});

test("plain tools are sent as they are, byte for byte", async () => {
  const parameters = {
    type: "object",
    properties: { path: { type: "string", description: "A path" } },
    required: ["path"],
    additionalProperties: false,
  };
  using server = wireServer("anthropic", { parts: [{ text: ["Done"] }] });
  await eventsOf(
    await server.open(),
    modelRequest("Hi", { tools: [{ name: "read", description: "Reads", parameters }] }),
  );
  expect(server.requests[0]?.text).toContain(`"input_schema":${JSON.stringify(parameters)}`);
});
