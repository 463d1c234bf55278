import { expect, test } from "bun:test";
import { type AssistantMessage, type LanguageModel, type ModelEvent, openModel } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { openScriptAgent } from "../support/script-agent.ts";

const partial: AssistantMessage = {
  role: "assistant",
  content: [
    { type: "text", text: "half" },
    { type: "toolCall", id: "c1", name: "bash", arguments: { command: "touch ran" } },
  ],
  provider: "broken",
  model: "broken",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
  stopReason: "toolUse",
  timestamp: 0,
};

const start: ModelEvent = { type: "start", partial };

const broken = (stream: () => AsyncGenerator<ModelEvent>): LanguageModel => ({
  provider: "broken",
  name: "broken",
  stream,
});

/** Models that do what the contract of a model forbids. */
const MODELS: readonly [name: string, stream: () => AsyncGenerator<ModelEvent>, text: string, reason: string][] = [
  ["says nothing", async function* () {}, "", "no end"],
  [
    "throws at once",
    async function* () {
      yield* [];
      throw new Error("boom");
    },
    "",
    "boom",
  ],
  [
    "throws in the middle",
    async function* () {
      yield start;
      throw new Error("boom");
    },
    "half",
    "boom",
  ],
  [
    "ends without its last event",
    async function* () {
      yield start;
    },
    "half",
    "no end",
  ],
];

test.each(MODELS)(
  "a model that %s costs one answer with an error, and the session continues",
  async (_name, stream, text, reason) => {
    using directory = agentDirectory();
    const first = await openScriptAgent(directory.path, [], { model: broken(stream) });
    const events = await Array.fromAsync(first.session().prompt("go"));
    await first.close();
    expect(events.at(-1)).toMatchObject({ type: "agent_end", outcome: "error" });
    const { errorMessage, content } = (await lastAnswer(directory.path)) ?? {};
    expect(errorMessage).toContain(reason);
    const updates = content?.map(() => "message_update") ?? [];
    expect(events.map(({ type }) => type).join(" ")).toBe(
      `agent_start turn_start message_start message_end ${["message_start", ...updates, "message_end"].join(" ")} turn_end agent_end`,
    );
    expect(content?.map((block) => (block.type === "text" ? block.text : "")).join("")).toBe(text);

    using server = anthropicServer(textReply("back"));
    const model = await openModel("claude-test", { environment: server.environment });
    const second = await openScriptAgent(directory.path, [], { model });
    await Array.fromAsync(second.session().prompt("again"));
    await second.close();
    expect(server.requests.map(({ refusal }) => refusal)).toStrictEqual([undefined]);
  },
);

async function lastAnswer(directory: string): Promise<AssistantMessage | undefined> {
  const agent = await openScriptAgent(directory, []);
  const messages = await agent.session().messages();
  await agent.close();
  return messages.findLast((message) => message.role === "assistant");
}
