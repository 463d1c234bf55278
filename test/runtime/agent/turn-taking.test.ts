import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { AgentClosedError } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { careless, outcomeOf } from "../../support/careless-module.ts";
import { eventually } from "../../support/eventually.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A reply that would take far longer than a test. */
const endless = { deltas: ["a", "b"], deltaDelay: 600_000 };

test("a reader who stops reading does not hold up the prompts behind, nor the close", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }, { text: "two" }]);
  const reader = agent.session().prompt("never read")[Symbol.asyncIterator]();
  await reader.next();
  expect(outcomeOf(await Array.fromAsync(agent.session().prompt("next")))).toBe("done");
  expect(await agent.session().messages()).toHaveLength(4);
  await agent.close();
});

test("a prompt that is aborted while it waits leaves at once, and keeps its place closed for those behind", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [endless, { text: "third" }]);
  const running = new AbortController();
  const waiting = new AbortController();
  const first = agent.session().prompt("first", { signal: running.signal })[Symbol.asyncIterator]();
  while ((await first.next()).value?.type !== "message_update");
  const second = Array.fromAsync(agent.session().prompt("second", { signal: waiting.signal }));
  const third = Array.fromAsync(agent.session().prompt("third"));
  waiting.abort();
  expect(await second).toEqual([]);
  running.abort();
  expect(outcomeOf(await third)).toBe("done");
  expect(await agent.session().messages()).toHaveLength(4);
  await agent.close();
});

test("a close stops the running prompt, which has no end, and refuses those that wait", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [endless]);
  const first = agent.session().prompt("first")[Symbol.asyncIterator]();
  while ((await first.next()).value?.type !== "message_update");
  const waiting = Promise.allSettled([Array.fromAsync(agent.session().prompt("second")), agent.session().clear()]);
  await agent.close();
  for (const refused of await waiting) {
    expect(refused).toMatchObject({ status: "rejected", reason: expect.any(AgentClosedError) });
  }
  const rest: AgentEvent[] = [];
  const read = async (): Promise<void> => {
    for (let next = await first.next(); !next.done; next = await first.next()) rest.push(next.value);
  };
  await expect(read()).rejects.toThrow(AgentClosedError);
  expect(outcomeOf(rest)).toBe("no end");
});

test("a close never rejects, even where the disk was taken away", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("first"));
  rmSync(join(directory.path, "sessions"), { recursive: true });
  writeFileSync(join(directory.path, "sessions"), "a file where a folder should be");
  await agent.close();
});

test("a prompt of a module that fails is in the log", async () => {
  using directory = agentDirectory({ "modules/careless.ts": careless("tool") });
  const replies = [{ calls: [{ id: "a", name: "later", arguments: {} }] }, { text: "ok" }];
  const agent = await openScriptAgent(directory.path, replies);
  await Array.fromAsync(agent.session().prompt("from the user"));
  await agent.close();
  const log = new Bun.Glob("logs/*.log").scanSync(directory.path).next().value ?? "";
  await eventually(() =>
    expect(readFileSync(join(directory.path, log), "utf8")).toContain("a prompt of a module failed"),
  );
});
