import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import { readAgentDirectory } from "@mdx-ai/parser";
import type { AgentChanges } from "@mdx-ai/runtime";
import { agentDirectory } from "../../support/agent-directory.ts";
import { writeText } from "../../support/agent-files.ts";
import { assistantMessage, toolResult, userMessage } from "../../support/model-request.ts";
import { beginOf, planOf } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

const AGENT = (limits: string): string => `---\nlimits: ${limits}\n---\n# Agent: Limited\n\n## Purpose\n\nBe tested.\n`;

const CALLED: AssistantMessage = assistantMessage([{ type: "toolCall", id: "a", name: "missing", arguments: {} }], {
  usage: { input: 120, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 120 },
  stopReason: "toolUse",
});

/** The journal of a prompt that a crash cut short behind these steps. */
const journalOf = (...steps: readonly (readonly [step: string, result: unknown])[]): string =>
  steps.map(([step, result]) => `${JSON.stringify({ v: 1, prompt: 1, step, result })}\n`).join("");

const endOf = (events: readonly AgentEvent[]): unknown => {
  const end = events.at(-1);
  return end?.type === "agent_end" ? [end.outcome, end.pendingInput] : end;
};

test("the limits of a prompt are those with which it began: what the model received before a crash is kept, and is answered", async () => {
  const journal = journalOf(
    ["begin", beginOf("go")],
    ["model:1", CALLED],
    ["policy:1", { calls: [{ refuse: "there is none" }] }],
    ["tool:1:a", toolResult("a", "there is none", { isError: true })],
    ["steer:1", userMessage("rather this")],
    ["deliver:2", { upTo: 1 }],
  );
  using directory = agentDirectory({
    "agent.mdx": AGENT("{ tokens: 100 }"),
    "sessions/main/journal.jsonl": journal,
  });
  const agent = await openScriptAgent(directory.path, [{ text: "so I do" }]);
  expect(endOf(await Array.fromAsync(agent.session().resume()))).toStrictEqual(["done", undefined]);
  const told = JSON.stringify(await agent.session().messages());
  expect(told.match(/rather this/g)).toHaveLength(1);
  await agent.close();
  const later = await openScriptAgent(directory.path, []);
  expect(JSON.stringify(await later.session().messages())).toBe(told);
  await later.close();
});

test("what an interrupted prompt spent on an earlier day does not count against this one", async () => {
  const journal = journalOf(
    ["begin", beginOf("go", { limits: { day: { tokens: 100 } } })],
    ["model:1", { ...CALLED, usage: { ...CALLED.usage, input: 90, total: 90 } }],
    ["policy:1", { calls: [{ refuse: "there is none" }] }],
    ["tool:1:a", toolResult("a", "there is none", { isError: true })],
  );
  using directory = agentDirectory({
    "agent.mdx": AGENT("{ day: { tokens: 100 } }"),
    "sessions/main/journal.jsonl": journal,
  });
  const agent = await openScriptAgent(directory.path, [{ text: "done" }]);
  expect(endOf(await Array.fromAsync(agent.session().resume()))).toStrictEqual(["done", undefined]);
  await agent.close();
});

test("the seconds of a prompt count from its beginning, over a crash: a resume past them ends by the limit", async () => {
  const input = { ...userMessage("go"), timestamp: 1000 };
  const plan = planOf({ limits: { seconds: 60 }, deadline: 61_000 });
  using directory = agentDirectory({
    "agent.mdx": AGENT("{ seconds: 60 }"),
    "sessions/main/journal.jsonl": journalOf(["begin", { input, id: "one", plan }]),
  });
  const agent = await openScriptAgent(directory.path, [{ text: "never" }]);
  const events = await Array.fromAsync(agent.session().resume());
  expect(endOf(events)).toStrictEqual(["limit", undefined]);
  expect(events.at(-2)).toMatchObject({ type: "limit_reached", limit: "seconds", value: 60 });
  await agent.close();
});

test("a day limit that the settings get while an ephemeral agent is open is counted from the next prompt on", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT("{ tokens: 1000 }") });
  let changes: AgentChanges | undefined;
  const refresh = async (): Promise<AgentChanges | undefined> => changes;
  const reply = { text: "done", usage: { input: 60, output: 1 } };
  const agent = await openScriptAgent(directory.path, [reply, reply], { ephemeral: true, refresh });
  await Array.fromAsync(agent.session().prompt("first"));
  expect(existsSync(join(directory.path, "state/usage.jsonl"))).toBe(false);
  writeText(join(directory.path, "agent.mdx"), AGENT("{ day: { tokens: 1000 } }"));
  changes = { directory: await readAgentDirectory(directory.path), model: agent.model };
  await Array.fromAsync(agent.session().prompt("second"));
  // Not even a kill at this moment may lose a line that the limit counts.
  const lines = readFileSync(join(directory.path, "state/usage.jsonl"), "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line).prompt)).toStrictEqual([1, 2]);
  await agent.close();
});
