import { describe, expect, test } from "bun:test";
import type { TracePrompt } from "@mdx-ai/sessions";
import { assistantMessage, toolResult, userMessage } from "../../../../test/support/model-request.ts";
import { beginOf } from "../../../../test/support/prompt-steps.ts";
import { sessionTrace } from "../../../sessions/src/trace/session-trace.ts";
import { looseEntries, turnEntries } from "./trace-entries.ts";

function promptOf(steps: readonly (readonly [step: string, result?: unknown])[]): TracePrompt {
  const lines = steps.map(([step, result]) => ({
    v: 1 as const,
    prompt: 1,
    step,
    ...(result === undefined ? { started: true as const } : { result }),
  }));
  const [prompt] = sessionTrace("main", { lines, damage: [] }).prompts;
  if (prompt === undefined) throw new Error("there is no prompt");
  return prompt;
}

const entriesOf = (prompt: TracePrompt) => prompt.turns.map((turn) => turnEntries(prompt, turn));
const call = (id: string) => ({ type: "toolCall", id, name: "look", arguments: {} }) as const;
const calling = assistantMessage([call("a"), call("b")], { stopReason: "toolUse", timestamp: 100, latency: 50 });

describe("what happened in a turn", () => {
  test("begins with what the user said before it", () => {
    const prompt = promptOf([
      ["begin", beginOf("go")],
      ["model:1", calling],
      ["steer:1", userMessage("stop")],
      ["deliver:2", { upTo: 1 }],
      ["model:2", assistantMessage([])],
      ["steer:2", userMessage("late")],
    ]);
    expect(entriesOf(prompt).map((entries) => entries.map(({ type }) => type))).toStrictEqual([
      ["model", "tool", "tool"],
      ["steering", "model"],
    ]);
    expect(looseEntries(prompt)).toMatchObject([{ type: "steering", text: "late" }]);
  });

  test("shows where another process resumed, between what was before and what came after", () => {
    const prompt = promptOf([
      ["begin", beginOf("go")],
      ["model:1", calling],
      ["tool:1:a", toolResult("a", "yes", { timestamp: 200 })],
      ["tool:1:b"],
      ["resume:1", { at: 900 }],
      ["tool:1:b", toolResult("b", "interrupted, outcome unknown", { timestamp: 901, isError: true })],
      ["resume:2", { at: 2000 }],
    ]);
    expect(entriesOf(prompt)[0]?.map(({ type }) => type)).toStrictEqual([
      "model",
      "tool",
      "resumption",
      "tool",
      "resumption",
    ]);
  });

  test("is shown if there is no turn yet", () => {
    const prompt = promptOf([
      ["begin", beginOf("go")],
      ["resume:1", { at: 5 }],
    ]);
    expect(looseEntries(prompt)).toStrictEqual([{ type: "resumption", step: "resume:1", at: 5 }]);
  });
});
