import { expect, test } from "bun:test";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../../support/agent-directory.ts";
import { aimock, modelAt, type Way, ways } from "../../support/aimock.ts";
import { lookedAt, lookingAgent } from "../../support/looking-agent.ts";
import { recordingProxy } from "../../support/recording-proxy.ts";

const answer = (events: readonly AgentEvent[]): string => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? answerText(end.messages) : "";
};

const deltas = (events: readonly AgentEvent[]): string[] =>
  events.flatMap((event) =>
    event.type === "message_update" && event.assistantMessageEvent.type === "text_delta"
      ? event.assistantMessageEvent.delta
      : [],
  );

const looks = ["sea", "sky"].map((text, place) => ({ id: `call_${place}`, name: "look", arguments: { text } }));

test.each(ways)("%s: text arrives in pieces, and at once where it is not to stream", async (way) => {
  await using server = await aimock();
  server.mock.onMessage("Hello", { content: "Good day — 你好 🌊." }, { chunkSize: 3 });
  using directory = agentDirectory();
  const agent = await server.open(directory.path, way);
  const streamed = await Array.fromAsync(agent.session().prompt("Hello"));
  await agent.close();
  expect(answer(streamed)).toBe("Good day — 你好 🌊.");
  expect(deltas(streamed).join("")).toBe("Good day — 你好 🌊.");
  const waiting = await server.open(directory.path, way, { parameters: { stream: false } });
  const whole = await Array.fromAsync(waiting.session("other").prompt("Hello"));
  await waiting.close();
  expect(deltas(whole)).toEqual(["Good day — 你好 🌊."]);
});

/** How aimock says what the model said: over responses each text and call is an item of its own. */
const answerTold = (way: Way): readonly object[] => {
  const calls = looks.map(({ id }) => ({ id }));
  if (way !== "responses") return [{ role: "assistant", tool_calls: calls }];
  return [{ content: "I look." }, ...calls.map((call) => ({ role: "assistant", tool_calls: [call] }))];
};

test.each(ways)(
  "%s: tools that are called side by side run once each, and their results go back in order",
  async (way) => {
    await using server = await aimock();
    server.mock.on({ userMessage: "Look", hasToolResult: false }, { content: "I look.", toolCalls: looks });
    server.mock.on({ userMessage: "Look", hasToolResult: true }, { content: "All calm." });
    using directory = agentDirectory(lookingAgent);
    const agent = await server.open(directory.path, way);
    expect(answer(await Array.fromAsync(agent.session().prompt("Look")))).toBe("All calm.");
    await agent.close();
    expect(lookedAt(directory.path)).toEqual(["sea", "sky"]);
    expect(server.mock.getLastRequest()?.body).toMatchObject({
      messages: [
        { role: "system" },
        { role: "user" },
        ...answerTold(way),
        { role: "tool", tool_call_id: "call_0", content: "sea is calm" },
        { role: "tool", tool_call_id: "call_1", content: "sky is calm" },
      ],
    });
  },
);

test.each(["anthropic", "ai-sdk"] as const)(
  "%s: thinking comes, and goes back signed in the next turn and after a restart of the agent",
  async (way) => {
    const signature = "EqQBCkgIBxABGAIiQPnm+/aimock==";
    await using server = await aimock();
    const thinks = { reasoning: "What of the sea? 🌊", reasoningSignature: signature };
    server.mock.on({ userMessage: "Look", hasToolResult: false }, { ...thinks, content: "I look.", toolCalls: looks });
    server.mock.on({ userMessage: "Look", hasToolResult: true }, { content: "All calm." });
    server.mock.on({ userMessage: "Again" }, { content: "Still calm." });
    using proxy = recordingProxy(server.mock.url);
    using directory = agentDirectory(lookingAgent);
    const open = async () =>
      server.open(directory.path, way, {
        model: await modelAt(proxy.url, way),
        parameters: { thinking: { budget: 2000 } },
      });
    const agent = await open();
    expect(answer(await Array.fromAsync(agent.session().prompt("Look")))).toBe("All calm.");
    await agent.close();
    const again = await open();
    expect(answer(await Array.fromAsync(again.session().prompt("Again")))).toBe("Still calm.");
    await again.close();
    const thinking = { type: "thinking", thinking: "What of the sea? 🌊", signature };
    for (const body of proxy.bodies.slice(1)) {
      expect(JSON.parse(body)).toHaveProperty("messages.1.content.0", thinking);
    }
    expect(proxy.bodies.length).toBe(3);
  },
);

test("openai: thinking comes before the text, and the next turn goes well", async () => {
  await using server = await aimock();
  const thinks = { reasoning: "What of the sea? 🌊" };
  server.mock.on({ hasToolResult: false }, { ...thinks, content: "I look.", toolCalls: looks }, { chunkSize: 3 });
  server.mock.on({ hasToolResult: true }, { content: "All calm." });
  using directory = agentDirectory(lookingAgent);
  const environment = { OPENAI_API_KEY: "sk-aimock-0123456789", OPENAI_BASE_URL: `${server.mock.url}/v1` };
  const agent = await server.open(directory.path, "openai", {
    model: await openModel("openai/o3", { environment, api: "chat" }),
  });
  const events = await Array.fromAsync(agent.session().prompt("Look"));
  await agent.close();
  expect(answer(events)).toBe("All calm.");
  const [first] = events.flatMap((event) => (event.type === "turn_end" ? [event.message] : []));
  const thinking = { type: "thinking", thinking: "What of the sea? 🌊" };
  expect(first?.content.slice(0, 2)).toMatchObject([thinking, { type: "text", text: "I look." }]);
  expect(lookedAt(directory.path)).toEqual(["sea", "sky"]);
});
