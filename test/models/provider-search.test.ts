import { describe, expect, test } from "bun:test";
import { type AssistantMessage, type LanguageModel, type Message, type ModelRequest, openModel } from "@mdx-ai/models";
import { endOf, eventsOf, modelRequest, userMessage } from "../support/model-request.ts";

type Event = Readonly<Record<string, unknown>>;

/** A real server that answers with these events, and records the bodies of requests. */
function searchServer(events: readonly Event[], form: "stream" | "document" = "stream", document: unknown = {}) {
  const bodies: Event[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      bodies.push(Object(await request.json()));
      if (form === "document") return Response.json(document);
      const text = events.map((event) => `event: ${event["type"]}\ndata: ${JSON.stringify(event)}\n\n`).join("");
      return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  const environment = {
    ...{ ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: url },
    ...{ OPENAI_API_KEY: "k", OPENAI_BASE_URL: `${url}/v1` },
  };
  return { bodies, environment, [Symbol.asyncDispose]: async () => void (await server.stop(true)) };
}

async function asked(model: LanguageModel, request: Partial<ModelRequest>): Promise<AssistantMessage> {
  return endOf(await eventsOf(model, modelRequest("When?", request))).message;
}

const follow = (message: AssistantMessage): readonly Message[] => [userMessage("When?"), message, userMessage("And?")];
const tool = { name: "add", description: "Adds", parameters: { type: "object" } };

describe("a search of anthropic", () => {
  const use = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "bun 1.4" } };
  const hit = { type: "web_search_result", title: "Bun", url: "https://bun.sh/(a)", encrypted_content: "RW5j" };
  const found = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [hit] };
  const citation = { type: "web_search_result_location", url: hit.url, title: "Bun", encrypted_index: "RW8=" };
  const blocks: readonly (readonly [start: object, ...deltas: object[]])[] = [
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "I look." },
    ],
    [
      { ...use, input: {} },
      { type: "input_json_delta", partial_json: '{"query": "bu' },
      { type: "input_json_delta", partial_json: 'n 1.4"}' },
    ],
    [found],
    [
      { type: "text", text: "" },
      { type: "text_delta", text: "It came " },
    ],
    [
      { type: "text", text: "", citations: [] },
      { type: "citations_delta", citation },
      { type: "text_delta", text: "in May" },
    ],
    [
      { type: "text", text: "" },
      { type: "text_delta", text: ", they say." },
    ],
  ];
  const usage = { input_tokens: 3, output_tokens: 4, server_tool_use: { web_search_requests: 1 } };
  const events: readonly Event[] = [
    { type: "message_start", message: { model: "claude-test", usage } },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: "content_block_start", index, content_block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason: "end_turn" }, usage },
    { type: "message_stop" },
  ];
  const document = {
    ...{ type: "message", model: "claude-test", usage, stop_reason: "end_turn" },
    content: [
      { type: "text", text: "I look." },
      use,
      found,
      { type: "text", text: "It came " },
      { type: "text", text: "in May", citations: [citation] },
      { type: "text", text: ", they say." },
    ],
  };

  test.each(["stream", "document"] as const)("of a %s is kept, cited, and sent back as it was", async (form) => {
    await using server = searchServer(events, form, document);
    const model = await openModel("claude-test", { environment: server.environment });
    expect(model.searchesWeb).toBe(true);
    const request = { webSearch: true, tools: [tool], stream: form === "stream" } as const;
    const message = await asked(model, request);
    expect(message).toMatchObject({ stopReason: "stop" });
    expect(message.content).toEqual([
      { type: "text", text: "I look." },
      { type: "thinking", thinking: "Search of the provider: bun 1.4", signature: JSON.stringify(use) },
      { type: "thinking", thinking: "Bun https://bun.sh/(a)", signature: JSON.stringify(found) },
      { type: "text", text: "It came in May ([bun.sh](https://bun.sh/%28a%29)), they say." },
    ]);
    await asked(model, { ...request, messages: follow(JSON.parse(JSON.stringify(message))) });
    expect(server.bodies[0]?.["tools"]).toMatchObject([
      { type: "web_search_20250305", name: "web_search" },
      { name: "add", cache_control: { type: "ephemeral" } },
    ]);
    expect(server.bodies[1]?.["messages"]).toMatchObject([
      {},
      { role: "assistant", content: [{ type: "text" }, use, found, { type: "text" }] },
      {},
    ]);
  });

  test("that a pause interrupts continues where it was", async () => {
    await using server = searchServer([
      ...events.slice(0, 8),
      { type: "message_delta", delta: { stop_reason: "pause_turn" }, usage },
      { type: "message_stop" },
    ]);
    const model = await openModel("claude-test", { environment: server.environment });
    const message = await asked(model, { webSearch: true });
    expect(message.stopReason).toBe("pause");
    await asked(model, { webSearch: true, messages: [userMessage("When?"), message] });
    expect(server.bodies[1]?.["messages"]).toMatchObject([{}, { content: [{ type: "text" }, use] }]);
  });

  test("is not made unasked, nor where the agent has a tool of its name", async () => {
    await using server = searchServer(events);
    const model = await openModel("claude-test", { environment: server.environment });
    await asked(model, {});
    await asked(model, { webSearch: true, tools: [{ ...tool, name: "web_search" }] });
    expect(server.bodies[0]).not.toHaveProperty("tools");
    expect(server.bodies[1]?.["tools"]).toMatchObject([{ name: "web_search", description: "Adds" }]);
  });

  test("goes to no other provider", async () => {
    await using server = searchServer(events);
    const model = await openModel("claude-test", { environment: server.environment });
    const message = await asked(model, { webSearch: true });
    const other = await openModel("openai/gpt-5.4", { environment: server.environment });
    await asked(other, { messages: follow(message) });
    expect(JSON.stringify(server.bodies[1])).not.toContain("srvtoolu_1");
    expect(other.searchesWeb).toBe(true);
    expect((await openModel("groq/some", { environment: { GROQ_API_KEY: "k" } })).searchesWeb).toBeUndefined();
  });
});

describe("a search of openai", () => {
  const item = { type: "web_search_call", status: "completed", action: { type: "search", query: "bun 1.4" } };
  const said = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "In May." }] };
  const output = [{ ...item, id: "ws_1" }, said];
  const events: readonly Event[] = [
    { type: "response.created", response: { model: "gpt-5.4" } },
    {
      type: "response.output_item.added",
      output_index: 0,
      item: { id: "ws_1", type: "web_search_call", status: "in_progress" },
    },
    { type: "response.web_search_call.searching", output_index: 0, item_id: "ws_1" },
    { type: "response.output_item.done", output_index: 0, item: output[0] },
    { type: "response.output_item.added", output_index: 1, item: { ...said, content: [] } },
    { type: "response.output_text.delta", output_index: 1, item_id: "msg_1", delta: "In May." },
    { type: "response.output_item.done", output_index: 1, item: said },
    { type: "response.completed", response: { model: "gpt-5.4", status: "completed", output } },
  ];

  test.each(["stream", "document"] as const)("of a %s is kept, and sent back without its id", async (form) => {
    await using server = searchServer(events, form, {
      object: "response",
      status: "completed",
      model: "gpt-5.4",
      output,
    });
    const model = await openModel("openai/gpt-5.4", { environment: server.environment });
    const request = { webSearch: true, tools: [tool], stream: form === "stream" } as const;
    const message = await asked(model, request);
    expect(message.content).toEqual([
      { type: "thinking", thinking: "Search of the provider: bun 1.4", signature: JSON.stringify(item) },
      { type: "text", text: "In May." },
    ]);
    await asked(model, { ...request, messages: follow(message) });
    expect(server.bodies[0]?.["tools"]).toMatchObject([{ type: "web_search" }, { type: "function", name: "add" }]);
    expect(server.bodies[1]?.["input"]).toMatchObject([
      { role: "user" },
      item,
      { role: "assistant" },
      { role: "user" },
    ]);
    expect(JSON.stringify(server.bodies[1])).not.toContain("ws_1");
  });
});
