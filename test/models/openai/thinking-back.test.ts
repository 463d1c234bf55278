import { describe, expect, test } from "bun:test";
import { type AssistantContent, type LanguageModel, type Message, openModel } from "@mdx-ai/models";
import { assistantMessage, eventsOf, modelRequest, toolResult, userMessage } from "../../support/model-request.ts";
import { callChunk, chunk, events, type RawServer, rawModel, rawServer } from "../../support/raw-server.ts";
import { type RefusingServer, refusingServer } from "../../support/refusing-server.ts";

const hi = { body: events(chunk({ content: "Hi" }, "stop"), "[DONE]") };

/** The answer of the model in the body of a request. */
function answerIn(server: RawServer, request: number): unknown {
  const { messages } = JSON.parse(server.bodies[request] ?? "{}");
  return messages.find(({ role }: { role: string }) => role === "assistant");
}

const calledBy = (content: readonly AssistantContent[], provider = "openai"): readonly Message[] => [
  userMessage("Go."),
  assistantMessage(content, { provider }),
  toolResult("1", "done"),
];

const call: AssistantContent = { type: "toolCall", id: "1", name: "t", arguments: {} };

describe("thinking of a server that is not known", () => {
  test.each(["reasoning_content", "reasoning", "reasoning_text"])(
    "goes back in %s with a call, if it came so",
    async (field) => {
      const thought = {
        body: events(
          chunk({ [field]: "Hm." }),
          callChunk({ index: 0, id: "1" }, { name: "t", arguments: "{}" }),
          chunk({}, "tool_calls"),
          "[DONE]",
        ),
      };
      using server = rawServer(thought, hi);
      const model = await rawModel(server, "chat", "kimi-k2-thinking");
      const last = (await eventsOf(model)).at(-1);
      if (last?.type !== "done") throw new Error("no answer");
      // As a journal keeps it.
      const message = JSON.parse(JSON.stringify(last.message));
      await eventsOf(model, modelRequest([userMessage("Go."), message, toolResult("1", "done")]));
      expect(answerIn(server, 1)).toMatchObject({ content: "", [field]: "Hm.", tool_calls: [{ id: "1" }] });
    },
  );

  test("in marks does not go back, nor as text", async () => {
    const thought = {
      body: events(
        chunk({ content: "<think>Hm.</think>" }),
        callChunk({ index: 0, id: "1" }, { name: "t", arguments: "{}" }),
        chunk({}, "tool_calls"),
        "[DONE]",
      ),
    };
    using server = rawServer(thought, hi);
    const model = await rawModel(server, "chat");
    const last = (await eventsOf(model)).at(-1);
    if (last?.type !== "done") throw new Error("no answer");
    await eventsOf(model, modelRequest([userMessage("Go."), last.message, toolResult("1", "done")]));
    expect(JSON.stringify(answerIn(server, 1))).not.toContain("Hm.");
  });

  test.each([
    [
      "thinking is enabled but reasoning_content is missing in assistant tool call message at index 1",
      "reasoning_content",
    ],
    ["The `reasoning_content` in the thinking mode must be passed back to the API.", "reasoning_content"],
    ["Field 'reasoning' is required in assistant messages with tool calls", "reasoning"],
  ])("goes back after a refusal that asks for it: %s", async (message, field) => {
    const lacks = ({ messages }: Readonly<Record<string, unknown>>): boolean =>
      !JSON.stringify(messages).includes(`"${field}":`);
    using server = refusingServer((body) => (lacks(body) ? { error: { message } } : undefined));
    const model = await server.open("openai/kimi-k2-thinking");
    const request = modelRequest(calledBy([{ type: "thinking", thinking: "Hm." }, call]));
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({
      message: { failure: { isTransient: true, adapted: expect.stringContaining(field) } },
    });
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({ type: "done" });
    expect(JSON.stringify(server.bodies[1])).toContain(`"${field}":"Hm."`);
    const other = modelRequest(calledBy([call], "anthropic"));
    expect((await eventsOf(model, other)).at(-1)).toMatchObject({ type: "done" });
  });

  test.each([
    "property 'reasoning_content' is unsupported",
    "Additional properties are not allowed ('reasoning_content' was unexpected)",
    "body.messages.1.assistant.reasoning_content: Extra inputs are not permitted",
  ])("is left out after a refusal of its field: %s", async (message) => {
    using server = refusingServer((body) =>
      JSON.stringify(body).includes("reasoning_content") ? { error: { message } } : undefined,
    );
    const model = await server.open();
    const request = modelRequest(
      calledBy([{ type: "thinking", thinking: "Hm.", signature: "reasoning_content" }, call]),
    );
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({
      message: { failure: { adapted: expect.stringContaining("left out") } },
    });
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({ type: "done" });
  });
});

/** A model of chat completions, also where its vendor has another interface. */
const chatModel = ({ environment }: RefusingServer, reference: string): Promise<LanguageModel> =>
  openModel(reference, {
    environment: {},
    apiKey: "k",
    baseUrl: environment["OPENAI_BASE_URL"] ?? "",
    ...(reference.startsWith("openai/") && { api: "chat" }),
  });

describe("the content beside calls", () => {
  test.each([
    ["openai/gpt-4.1", null],
    ["openai/local", ""],
    ["groq/m", ""],
    ["mistral/m", ""],
    ["deepseek/m", ""],
    ["ollama/m", ""],
  ] as const)("of %s is %p", async (reference, content) => {
    using server = refusingServer(() => undefined);
    await eventsOf(await chatModel(server, reference), modelRequest(calledBy([call])));
    expect(server.bodies[0]).toMatchObject({ messages: [{}, { role: "assistant", content }, {}] });
  });

  test.each([
    ["openai/local", "The text field in the ContentBlock object at messages.1.content.0 is blank", null],
    ["openai/gpt-4.1", "Invalid 'content': 'content' field must be a string or an array of objects.", ""],
    ["openai/gpt-4.1", "messages.1.content: Input should be a valid string", ""],
  ] as const)("of %s is sent the other way after: %s", async (reference, message, content) => {
    using server = refusingServer(({ messages }) => {
      const [, answer] = Array.isArray(messages) ? messages : [];
      return answer?.content === content ? undefined : { error: { message } };
    });
    const model = await chatModel(server, reference);
    const request = modelRequest(calledBy([call]));
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({
      message: { failure: { adapted: expect.any(String) } },
    });
    expect((await eventsOf(model, request)).at(-1)).toMatchObject({ type: "done" });
  });
});
