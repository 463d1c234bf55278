import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent, ApprovalRequest } from "@mdx-ai/loop";
import type { AssistantMessage } from "@mdx-ai/models";
import { deleteSession } from "@mdx-ai/sessions";
import { agentDirectory, toolText } from "../../support/agent-directory.ts";
import { MINIMAL_AGENT } from "../../support/agent-files.ts";
import { assistantMessage } from "../../support/model-request.ts";
import { beginOf } from "../../support/prompt-steps.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A tool that writes its text to a file of the agent directory. */
const NOTE = toolText(
  "note",
  '  await Bun.write(ctx.cwd + "/noted", params.text ?? "");\n  return "noted";',
  ' permission="ask"',
);
const AGENT = `${MINIMAL_AGENT}${NOTE}`;
const ALLOWED = { permissions: { allow: ["note"] } };

const noting = (text: string): AssistantMessage =>
  assistantMessage([{ type: "toolCall", id: "a", name: "note", arguments: { text } }], { stopReason: "toolUse" });

/** The journal of a prompt that a crash cut short behind these steps. */
const journalOf = (...steps: readonly JournaledStep[]): string =>
  linesOf([["begin", beginOf("go", { tools: [{ wire: "note", name: "note", origin: "inline" }] })], ...steps]);

type JournaledStep = readonly [step: string, result: unknown];

const linesOf = (steps: readonly JournaledStep[]): string =>
  steps.map(([step, result]) => `${JSON.stringify({ v: 1, prompt: 1, step, result })}\n`).join("");

const resultText = (events: readonly AgentEvent[]): string => {
  const end = events.find(({ type }) => type === "tool_execution_end");
  return JSON.stringify(end);
};

test("a call whose arguments lost a secret in a crash does not run, and the model receives the reason", async () => {
  using directory = agentDirectory({
    "agent.mdx": AGENT,
    "sessions/main/journal.jsonl": journalOf(["model:1", noting("[redacted API_KEY]")]),
  });
  const agent = await openScriptAgent(directory.path, [{ text: "I see." }], ALLOWED);
  const events = await Array.fromAsync(agent.session().resume());
  expect(resultText(events)).toContain("its arguments held a secret, which is not kept on disk");
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  expect(existsSync(join(directory.path, "noted"))).toBe(false);
  await agent.close();
});

test("a call that the model has just made runs with any arguments", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const call = { id: "a", name: "note", arguments: { text: "[redacted API_KEY]" } };
  const agent = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "Noted." }], ALLOWED);
  const events = await Array.fromAsync(agent.session().prompt("go"));
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
  expect(readFileSync(join(directory.path, "noted"), "utf8")).toBe("[redacted API_KEY]");
  await agent.close();
});

test("a denied call has no start in the journal, and keeps its denial over a crash although the rule is gone", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const call = { id: "a", name: "note", arguments: { text: "x" } };
  const denied = await openScriptAgent(directory.path, [{ calls: [call] }, { text: "A pity." }], {
    permissions: { deny: ["note"] },
  });
  await Array.fromAsync(denied.session().prompt("go"));
  await denied.close();
  const path = join(directory.path, "sessions/main/journal.jsonl");
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  expect(lines.filter((line) => line.includes('"started"'))).toStrictEqual([]);
  const steps = lines.map((line) => JSON.parse(line).step);
  expect(steps).toContain("tool:1:a");

  await Bun.write(path, `${lines.slice(0, steps.indexOf("tool:1:a")).join("\n")}\n`);
  const resumed = await openScriptAgent(directory.path, [{ text: "A pity." }], ALLOWED);
  const events = await Array.fromAsync(resumed.session().resume());
  expect(resultText(events)).toContain("not run: ");
  expect(resultText(events)).not.toContain("interrupted");
  expect(existsSync(join(directory.path, "noted"))).toBe(false);
  await resumed.close();
});

test("an approval for this session does not hold in a new session of the same name", async () => {
  using directory = agentDirectory({ "agent.mdx": AGENT });
  const asked: ApprovalRequest[] = [];
  const calls = ["a", "b", "c"].map((id) => ({ calls: [{ id, name: "note", arguments: { text: id } }] }));
  const agent = await openScriptAgent(
    directory.path,
    calls.flatMap((reply) => [reply, { text: "Noted." }]),
    {
      onApproval: async (request) => {
        asked.push(request);
        return { answer: "session" };
      },
    },
  );
  await Array.fromAsync(agent.session().prompt("one"));
  await Array.fromAsync(agent.session().prompt("two"));
  expect(asked).toHaveLength(1);
  await agent.session().release();
  deleteSession(directory.path, "main", Date.now());
  await Array.fromAsync(agent.session().prompt("three"));
  expect(asked).toHaveLength(2);
  await agent.close();
});

describe("a call of a tool that is gone when its prompt is resumed", () => {
  const weather = assistantMessage([{ type: "toolCall", id: "a", name: "weather_at", arguments: {} }], {
    stopReason: "toolUse",
  });
  const begun = beginOf("go", { tools: [{ wire: "weather_at", name: "weather.at", origin: "mcp:weather" }] });

  test.each([
    ["the policy had allowed it", [{ calls: ["run"] }], "other", "there is no tool weather_at"],
    ["the policy had asked about it", [{ calls: ["ask"] }], "other", "there is no tool weather_at"],
    [
      "another one has its name, which the policy had allowed",
      [{ calls: ["run"] }],
      "weather:at",
      "this name now belongs to another tool",
    ],
    ["another one has its name, and the policy comes later", [], "weather:at", "this name now belongs to another tool"],
  ])("does not run, and the prompt ends: %s", async (_case, policies, current, reason) => {
    const steps: readonly JournaledStep[] = [
      ["begin", begun],
      ["model:1", weather],
      ...policies.map((policy) => ["policy:1", policy] as const),
    ];
    using directory = agentDirectory({
      "agent.mdx": `${MINIMAL_AGENT}${toolText(current, '  await Bun.write(ctx.cwd + "/ran", "");\n  return "ran";', "")}`,
      "sessions/main/journal.jsonl": linesOf(steps),
    });
    const agent = await openScriptAgent(directory.path, [{ text: "I see." }]);
    const events = await Array.fromAsync(agent.session().resume());
    expect(resultText(events)).toContain(reason);
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(existsSync(join(directory.path, "ran"))).toBe(false);
    await agent.close();
  });
});
