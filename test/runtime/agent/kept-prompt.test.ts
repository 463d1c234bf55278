import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const ENDLESS = { deltas: ["a", "b"], deltaDelay: 600_000 };
const SKILL = "---\nname: greet\ndescription: Greets\n---\nGreet.\n";

test("a prompt that waits and cannot be kept fails when its turn comes, and costs nothing before", async () => {
  using directory = agentDirectory({ "skills/greet/SKILL.md": SKILL });
  const agent = await openScriptAgent(directory.path, [ENDLESS, { text: "third" }]);
  rmSync(join(directory.path, "skills/greet/SKILL.md"));
  const controller = new AbortController();
  const first = agent.session().prompt("first", { signal: controller.signal })[Symbol.asyncIterator]();
  while ((await first.next()).value?.type !== "message_update");
  const second = Array.fromAsync(agent.session().prompt("/skill:greet", { isKept: true }));
  const third = Array.fromAsync(agent.session().prompt("third", { isKept: true }));
  const refused = second.then(
    () => "answered",
    (error: unknown) => (error instanceof Error ? error.name : "thrown"),
  );
  controller.abort();
  while (!(await first.next()).done);
  expect(await refused).toBe("SkillFileError");
  expect((await third).at(-1)).toMatchObject({ type: "agent_end", outcome: "done" });
  await agent.close();
});

test("a queued prompt that is aborted while an interrupted one is finished does not stay in the queue", async () => {
  const line = JSON.stringify({ v: 1, prompt: 1, step: "begin", result: beginOf("cut short") });
  using directory = agentDirectory({ "sessions/work/journal.jsonl": `${line}\n` });
  const agent = await openScriptAgent(directory.path, [ENDLESS, ENDLESS]);
  const stopFirst = new AbortController();
  const first = agent.session("other").prompt("first", { signal: stopFirst.signal })[Symbol.asyncIterator]();
  while ((await first.next()).value?.type !== "message_update");
  const stopSecond = new AbortController();
  const types: string[] = [];
  const second = (async () => {
    const events = agent.session("work").prompt("second", { isKept: true, signal: stopSecond.signal });
    for await (const { type } of events) types.push(type);
  })();
  stopFirst.abort();
  while (!(await first.next()).done);
  await eventually(() => expect(types).toContain("message_update"));
  stopSecond.abort();
  await second;
  expect(types.filter((type) => type.startsWith("agent_"))).toStrictEqual(["agent_start", "agent_end"]);
  await agent.close();
  const later = await openScriptAgent(directory.path, []);
  expect(await later.session("work").pendingPrompts()).toStrictEqual([]);
  await later.close();
});
