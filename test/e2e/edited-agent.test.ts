import { expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../support/agent-directory.ts";
import { MINIMAL_AGENT, writeText } from "../support/agent-files.ts";
import { type AnthropicReply, answerEvents } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";

const thoughtful = (text: string): AnthropicReply => ({
  events: answerEvents([{ thinking: ["Hm."], signature: `sig-${text}` }, { text: [text] }]),
});

test("a session continues when its agent was edited, also where the model binds its thinking to what it had read", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(thoughtful("One."), thoughtful("Two."), thoughtful("Three."));
  server.bindThinking();
  const prompt = async (): Promise<AgentEvent[]> => {
    const agent = await openAgent({
      directory: await readAgentDirectory(directory.path),
      model: await openModel("claude-test", { environment: server.environment }),
      cwd: directory.path,
      toolHostCommand: toolHostCommand(),
      environment: {},
    });
    const events = await Array.fromAsync(agent.session("main").prompt("Go on."));
    await agent.close();
    return events;
  };
  await prompt();
  const same = await prompt();
  writeText(join(directory.path, "agent.mdx"), `${MINIMAL_AGENT}\nBe brief.\n`);
  const edited = await prompt();
  expect(same.filter(({ type }) => type === "request_adapted")).toEqual([]);
  expect(edited.filter(({ type }) => type === "request_adapted")).toHaveLength(1);
  expect(edited.filter(({ type }) => type === "model_retry")).toEqual([]);
  expect(edited.at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  expect(server.requests.map(({ refusal }) => refusal === undefined)).toEqual([true, true, false, true]);
  expect(server.requests[1]?.text).toContain("sig-One.");
  expect(server.requests[3]?.text).not.toContain("sig-");
});
