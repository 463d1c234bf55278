import { expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import { AgentClosedError } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { eventually } from "../../support/eventually.ts";
import { requireProgram } from "../../support/require-program.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const bash = (id: string, command: string) => ({ id, name: "bash", arguments: { command } });

/** A reply that would take far longer than a test. */
const endless = { deltas: ["a", "b"], deltaDelay: 600_000 };

const outcomeOf = (events: readonly AgentEvent[]): string => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? end.outcome : "no end";
};

/** A module that asks for a prompt in the hook that is named, and looks at no answer. */
const careless = (hook: "start" | "stop" | "tool"): string => `
let ctx;
const tool = {
  name: "later",
  description: "Asks later",
  parameters: { type: "object" },
  execute: async () => { ctx.prompt("from the tool"); return "asked"; },
};
export default {
  describe: () => ({ name: "careless", description: "Careless" }),
  initialize: async (context) => { ctx = context; },
  tools: () => [tool],
  systemPrompt: () => "",
  start: async () => { ${hook === "start" ? 'ctx.prompt("from start");' : ""} },
  stop: () => { ${hook === "stop" ? 'ctx.prompt("from stop");' : ""} },
};
`;

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

test("a close at any moment of a prompt that follows an interrupted one leaves a journal that is whole", async () => {
  using directory = agentDirectory();
  const journal = join(directory.path, "sessions/main/journal.jsonl");
  const calls = [bash("a", "true"), bash("b", "true")];
  const before = await openScriptAgent(directory.path, [{ calls }, { text: "done" }]);
  await Array.fromAsync(before.session().prompt("go"));
  await before.close();
  const cut = readFileSync(journal, "utf8").split("\n").slice(0, 4).join("\n");
  for (let moment = 0; moment < 24; moment++) {
    writeFileSync(journal, `${cut}\n`);
    const agent = await openScriptAgent(directory.path, [{ text: "next" }]);
    const prompt = Array.fromAsync(agent.session().prompt("next")).then(outcomeOf, (error) => error);
    for (let turn = 0; turn < moment; turn++) await (turn % 4 === 3 ? Bun.sleep(0) : null);
    await agent.close();
    const end = await prompt;
    if (typeof end === "string") expect(["aborted", "done"]).toContain(end);
    else expect(end).toBeInstanceOf(AgentClosedError);
  }
});

test("a close never rejects, even where the disk was taken away", async () => {
  using directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, [{ text: "one" }]);
  await Array.fromAsync(agent.session().prompt("first"));
  rmSync(join(directory.path, "sessions"), { recursive: true });
  writeFileSync(join(directory.path, "sessions"), "a file where a folder should be");
  await agent.close();
});

test.each(["start", "stop", "tool"] as const)(
  "a prompt that a module asks for in %s and does not wait for costs the process nothing, whatever becomes of it",
  async (hook) => {
    using directory = agentDirectory({ "modules/careless.ts": careless(hook) });
    const replies = [{ calls: [{ id: "a", name: "later", arguments: {} }] }, { text: "ok" }, { text: "ok" }];
    const agent = await openScriptAgent(directory.path, replies);
    await Array.fromAsync(agent.session().prompt("from the user"));
    await agent.close();
    // An unhandled rejection would fail the test.
    await Bun.sleep(0);
  },
);

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

test.skipIf(requireProgram("bwrap"))(
  "of calls that share an id each is run once and keeps its own result, also when the session is read again",
  async () => {
    using directory = agentDirectory();
    const calls = [bash("same", "echo one"), bash("same", "echo two")];
    const first = await openScriptAgent(directory.path, [
      { calls },
      { calls: [bash("same", "echo three")] },
      { text: "ok" },
    ]);
    await Array.fromAsync(first.session().prompt("go"));
    const said = JSON.stringify(await first.session().messages());
    await first.close();
    expect(said.match(/"text":"(?:one|two|three)\\n"/g)).toEqual([
      '"text":"one\\n"',
      '"text":"two\\n"',
      '"text":"three\\n"',
    ]);
    const second = await openScriptAgent(directory.path, []);
    expect(JSON.stringify(await second.session().messages())).toBe(said);
    await second.close();
  },
);
