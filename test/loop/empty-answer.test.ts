import { expect, test } from "bun:test";
import type { AgentEvent } from "@mdx-ai/loop";
import { agentDirectory } from "../support/agent-directory.ts";
import type { Reply } from "../support/replies.ts";
import { openScriptAgent } from "../support/script-agent.ts";

const empty: Reply = { text: "" };
const thought: Reply = { thinking: "Hm." };
const noCall: Reply = { text: "I look.", stopReason: "toolUse" };
const blank: Reply = { text: " \n" };
const done: Reply = { text: "done" };

async function run(replies: readonly Reply[]): Promise<readonly AgentEvent[]> {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, replies, { retries: 0 });
  const events = await Array.fromAsync(agent.session().prompt("go"));
  await agent.close();
  return events;
}

const retries = (events: readonly AgentEvent[]): readonly string[] =>
  events.flatMap((event) => (event.type === "model_retry" ? [event.reason] : []));
const endOf = (events: readonly AgentEvent[]) => events.find((event) => event.type === "agent_end");

test.each([
  ["an empty answer", empty, "the model sent an empty answer"],
  ["a blank answer", blank, "the model sent an empty answer"],
  ["thinking alone", thought, "the model sent nothing but thinking"],
  ["a call that is announced and does not come", noCall, "the model announced a tool call, but made none"],
] as const)("%s is asked for once more, and is no part of the transcript", async (_, reply, reason) => {
  const events = await run([reply, done]);
  expect(retries(events)).toEqual([reason]);
  expect(endOf(events)).toMatchObject({
    outcome: "done",
    messages: [{ role: "user" }, { content: [{ text: "done" }] }],
  });
});

test.each([
  ["empty", empty],
  ["thinking", thought],
  ["no call", noCall],
] as const)("twice ends the prompt as failed: %s", async (_, reply) => {
  const events = await run([reply, reply, done]);
  expect(retries(events)).toHaveLength(1);
  expect(endOf(events)).toMatchObject({ outcome: "error" });
});

test("an empty answer after the results of tools is asked for once more too, in its own turn", async () => {
  const call: Reply = { calls: [{ id: "1", name: "missing", arguments: {} }] };
  const events = await run([call, empty, call, empty, done]);
  expect(retries(events)).toHaveLength(2);
  expect(endOf(events)).toMatchObject({ outcome: "done" });
});

test.each(["length", "refusal", "contextExceeded"] as const)(
  "an answer that says why it is empty is not asked for again: %s",
  async (stopReason) => {
    const events = await run([{ text: "", stopReason }, done]);
    expect(retries(events)).toEqual([]);
    expect(endOf(events)).toMatchObject({ outcome: "done" });
  },
);
