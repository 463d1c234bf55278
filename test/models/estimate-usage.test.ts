import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { agentDirectory } from "../support/agent-directory.ts";
import { modelRequest, userMessage } from "../support/model-request.ts";
import { answerChunks } from "../support/openai-replies.ts";
import { openAiServer } from "../support/openai-server.ts";
import { openScriptAgent } from "../support/script-agent.ts";

const story = "The quick brown fox jumps over the lazy dog, and then it goes home to sleep. ".repeat(40);

test("an answer whose server counts nothing is counted by an estimate, which says that it is one", async () => {
  using server = openAiServer({ chunks: answerChunks([{ text: [story] }], { usage: {} }) });
  const model = await openModel("openai/test", { environment: server.environment("openai") });
  const request = modelRequest([userMessage(story)], { system: story });
  const events = await Array.fromAsync(model.stream(request, new AbortController().signal));
  const end = events.at(-1);
  const usage = end?.type === "done" ? end.message.usage : undefined;
  const tokens = encode(story).length;
  expect(usage).toMatchObject({ cacheRead: 0, cacheWrite: 0, thinking: 0, estimated: true });
  expect(usage?.input).toBeWithin(2 * tokens * 0.85, 2 * tokens * 1.15);
  expect(usage?.output).toBeWithin(tokens * 0.85, tokens * 1.15);
});

test("a limit of tokens holds with a server that counts nothing", async () => {
  const call = { id: "call_1", name: "read_file", json: ['{"path":"agent.mdx"}'] };
  const turn = { chunks: answerChunks([call], { usage: {} }) };
  using server = openAiServer(turn, turn, turn, turn);
  using directory = agentDirectory({
    "agent.mdx": `---\nlimits: { tokens: 1200 }\n---\n# Agent: Minimal\n\n## Purpose\n\n${story}\n`,
  });
  const model = await openModel("openai/test", { environment: server.environment("openai") });
  const agent = await openScriptAgent(directory.path, [], { model });
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  expect(events).toContainEqual(expect.objectContaining({ type: "limit_reached", limit: "tokens", value: 1200 }));
  expect(server.requests.length).toBeLessThan(4);
});
