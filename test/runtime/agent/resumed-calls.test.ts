import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentEvent } from "@mdx-ai/loop";
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

type JournaledStep = readonly [step: string, result: unknown];

const linesOf = (steps: readonly JournaledStep[]): string =>
  steps.map(([step, result]) => `${JSON.stringify({ v: 1, prompt: 1, step, result })}\n`).join("");

const resultText = (events: readonly AgentEvent[]): string => {
  const end = events.find(({ type }) => type === "tool_execution_end");
  return JSON.stringify(end);
};

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
