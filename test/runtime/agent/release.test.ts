import { expect, test } from "bun:test";
import { deleteSession, SessionInUseError } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("a session that an agent lets go of can be deleted, and is a new one at its next use", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await Array.fromAsync(agent.prompt("first"));
  const remove = () => deleteSession(directory.path, "main", Date.now());
  expect(remove).toThrow(SessionInUseError);
  await agent.release();
  await agent.release("never opened");
  remove();
  expect(await agent.messages()).toStrictEqual([]);
  await Array.fromAsync(agent.prompt("second"));
  expect(await agent.messages()).toHaveLength(2);
  await agent.close();
});

test("a session is let go of when the prompts are over that were sent before", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one", delay: 50 }]);
  const order: string[] = [];
  const prompt = Array.fromAsync(agent.prompt("first")).then((events) => order.push(events.at(-1)?.type ?? ""));
  await agent.release().then(() => order.push("released"));
  await prompt;
  expect(order).toStrictEqual(["agent_end", "released"]);
  expect(await agent.messages()).toHaveLength(2);
  await agent.close();
});
