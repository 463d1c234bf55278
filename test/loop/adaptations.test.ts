import { expect, test } from "bun:test";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { openModel } from "@mdx-ai/models";
import { agentDirectory } from "../support/agent-directory.ts";
import { writeText } from "../support/agent-files.ts";
import { answerEvents, textReply } from "../support/anthropic-replies.ts";
import { anthropicServer } from "../support/anthropic-server.ts";
import { overloaded, type Reply } from "../support/replies.ts";
import { openScriptAgent } from "../support/script-agent.ts";

const done: Reply = { text: "done" };
const refused: Reply = {
  error: { message: "no such field: x", status: 400, isTransient: true, adapted: "x is left out" },
};

const typed = <Type extends AgentEvent["type"]>(events: readonly AgentEvent[], type: Type) =>
  events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type);

async function run(replies: readonly Reply[], retries: number | readonly number[]): Promise<readonly AgentEvent[]> {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, replies, { retries });
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  return events;
}

const outcomeOf = (events: readonly AgentEvent[]) => typed(events, "agent_end")[0]?.outcome;

test("a model that learned from a refusal is asked again at once, without retries too, and the user is warned", async () => {
  const events = await run([refused, refused, done], 0);
  expect(outcomeOf(events)).toBe("done");
  expect(typed(events, "model_retry")).toEqual([]);
  expect(typed(events, "request_adapted")).toMatchObject([
    { change: "x is left out", reason: "no such field: x" },
    { change: "x is left out", reason: "no such field: x" },
  ]);
  expect(typed(events, "agent_end")[0]?.messages).toMatchObject([{ role: "user" }, { content: [{ text: "done" }] }]);
});

test("what is learned uses up no retry", async () => {
  const events = await run([refused, overloaded, refused, overloaded, done], [0, 0]);
  expect(outcomeOf(events)).toBe("done");
  expect(typed(events, "model_retry").map(({ attempt }) => attempt)).toEqual([1, 2]);
});

test("a server that refuses without end is asked 32 times more", async () => {
  const events = await run(
    Array.from({ length: 40 }, () => refused),
    0,
  );
  expect(outcomeOf(events)).toBe("error");
  expect(typed(events, "request_adapted")).toHaveLength(32);
  expect(typed(events, "turn_end").map(({ message }) => message.errorMessage)).toEqual(["no such field: x"]);
});

test("thinking that the server does not accept back costs no retry of a prompt", async () => {
  const thoughtful = { events: answerEvents([{ thinking: ["Hm."], signature: "sig" }, { text: ["one"] }]) };
  using server = anthropicServer(thoughtful, textReply("two"));
  server.bindThinking();
  using directory = agentDirectory();
  const open = () => openModel("claude-test", { environment: server.environment });
  const first = await openScriptAgent(directory.path, [], { model: await open(), retries: 0 });
  await Array.fromAsync(first.session().prompt("go"));
  await first.close();
  const skill = "---\nname: more\ndescription: Changes the system prompt.\n---\nMore.\n";
  writeText(join(directory.path, "skills/more/SKILL.md"), skill);
  const second = await openScriptAgent(directory.path, [], { model: await open(), retries: 0 });
  const events = await Array.fromAsync(second.session().prompt("go on"));
  await second.close();
  expect(outcomeOf(events)).toBe("done");
  expect(typed(events, "request_adapted")).toMatchObject([
    { change: expect.stringContaining("left out"), reason: expect.stringContaining("anthropic answered 400") },
  ]);
});
