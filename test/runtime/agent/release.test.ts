import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteSession, SessionInUseError } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

test("a session that an agent lets go of can be deleted, and is a new one at its next use", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  await Array.fromAsync(agent.session().prompt("first"));
  const remove = () => deleteSession(directory.path, "main", Date.now());
  expect(remove).toThrow(SessionInUseError);
  await agent.session().release();
  await agent.session("never-opened").release();
  remove();
  expect(await agent.session().messages()).toStrictEqual([]);
  await Array.fromAsync(agent.session().prompt("second"));
  expect(await agent.session().messages()).toHaveLength(2);
  await agent.close();
});

test("a session is released once the prompts that were sent before are over", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one", delay: 50 }]);
  const prompt = Array.fromAsync(agent.session().prompt("first"));
  await agent.session().release();
  const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  expect(journal).toContain('"step":"end"');
  expect((await prompt).at(-1)?.type).toBe("agent_end");
  expect(await agent.session().messages()).toHaveLength(2);
  await agent.close();
});
