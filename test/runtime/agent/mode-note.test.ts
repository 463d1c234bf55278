import { expect, test } from "bun:test";
import { openModel } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import { type Agent, openAgent } from "@mdx-ai/runtime";
import { toolHostCommand } from "@mdx-ai/tools/tool-host-command";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply } from "../../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../../support/anthropic-server.ts";

const open = async (directory: string, server: AnthropicServer): Promise<Agent> =>
  openAgent({
    directory: await readAgentDirectory(directory),
    model: await openModel("claude-test", { environment: server.environment }),
    cwd: directory,
    toolHostCommand: toolHostCommand(),
    environment: process.env,
  });

const PLAN = "(The user chose plan mode: tools can only read. Say what you would do, and change nothing.)";
const ENDED = "(The user left plan mode: tools can change files and run commands again.)";

test("the model learns once that plan mode begins, and that it ends, behind the user's input; the system prompt stays", async () => {
  using directory = agentDirectory();
  using server = anthropicServer();
  let agent = await open(directory.path, server);
  const say = async (text: string): Promise<string> => {
    server.add(textReply("Yes."));
    await Array.fromAsync(agent.session().prompt(text));
    const { messages } = JSON.parse(server.requests.at(-1)?.text ?? "");
    return JSON.stringify(messages.at(-1));
  };
  expect(await say("First")).not.toContain("mode");
  agent.setMode("plan");
  expect(await say("Second")).toMatch(/"Second".*The user chose plan mode/);
  expect(await say("Third")).not.toContain("mode");
  await agent.close();
  // What was said is in the journal.
  agent = await open(directory.path, server);
  agent.setMode("all");
  expect(await say("Fourth")).toMatch(/"Fourth".*The user left plan mode/);
  agent.setMode("ask");
  expect(await say("Fifth")).not.toContain("mode");
  const messages = await agent.session().messages();
  const notes = messages.filter((message) => message.role === "user" && message.origin === "mode");
  expect(notes.map(({ content }) => content)).toStrictEqual([
    [{ type: "text", text: PLAN }],
    [{ type: "text", text: ENDED }],
  ]);
  const history = await Bun.file(`${directory.path}/sessions/main/history.json`).text();
  expect(history).toContain("Second");
  expect(history).not.toContain("plan mode");
  await agent.close();
  const systems = new Set(server.requests.map(({ text }) => JSON.stringify(JSON.parse(text).system)));
  expect(systems.size).toBe(1);
});
