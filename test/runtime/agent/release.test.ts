import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deleteSession, SessionInUseError } from "@mdx-ai/sessions";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
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

test("a session that is being forked is read and takes prompts when that is over", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }, { text: "three" }]);
  const session = agent.session();
  await Array.fromAsync(session.prompt("first"));
  const forking = session.fork("other");
  await eventually(() => readdirSync(join(directory.path, "sessions")).some((name) => name !== "main"));
  const reads = [session.messages(), session.checkpoints(), session.pendingPrompts(), session.hasPrompt("p")];
  const prompts = [session.submit("second"), session.submit("third")];
  expect(await forking).toBe(1);
  await Promise.all([...reads, ...prompts]);
  await session.release();
  expect(await session.messages()).toHaveLength(6);
  expect(await agent.session("other").messages()).toHaveLength(2);
  await agent.close();
});
