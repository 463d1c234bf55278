import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply, toolReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { open, sent } from "../../support/prompt-by-prompt.ts";

test("a session that continues with another model sends that model the whole conversation", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(
    toolReply({ id: "a", name: "bash", input: { command: "echo from the shell" } }),
    textReply("the first answer"),
    textReply("the second answer"),
  );
  const first = await open(directory.path, { server, model: "claude-first" });
  await Array.fromAsync(first.session().prompt("the first question"));
  await first.close();
  const second = await open(directory.path, { server, model: "claude-second" });
  await Array.fromAsync(second.session().prompt("the second question"));
  await second.close();
  expect(sent(server).map(({ model }) => model)).toEqual(["claude-first", "claude-first", "claude-second"]);
  const { messages } = sent(server)[2];
  expect(messages.map(({ role }: { readonly role: string }) => role)).toEqual([
    "user",
    "assistant",
    "user",
    "assistant",
    "user",
  ]);
  const texts = ["the first question", '"tool_use"', "from the shell", "the first answer", "the second question"];
  for (const [index, text] of texts.entries()) expect(JSON.stringify(messages[index])).toContain(text);
});

test("an open agent asks another model where a prompt names one, and its own for the next", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(textReply("one"), textReply("two"));
  const agent = await open(directory.path, { server, model: "claude-own" });
  const model = await openModel("claude-other", { environment: server.environment });
  await Array.fromAsync(agent.session().prompt("first", { model }));
  await Array.fromAsync(agent.session().prompt("second"));
  await agent.close();
  expect(sent(server).map((body) => body.model)).toEqual(["claude-other", "claude-own"]);
});
