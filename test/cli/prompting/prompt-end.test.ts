import { describe, expect, test } from "bun:test";
import type { AssistantMessage, StopReason } from "@mdx-ai/models";
import { endOf } from "../../../packages/cli/src/prompting/prompt-end.ts";

const message = (stopReason: StopReason, errorMessage?: string): AssistantMessage => ({
  role: "assistant",
  content: [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "one " },
    { type: "text", text: "two" },
  ],
  provider: "test",
  model: "test",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0 },
  stopReason,
  ...(errorMessage !== undefined && { errorMessage }),
  timestamp: 0,
});

describe("the end of a prompt", () => {
  test("is the text of the last message", () => {
    expect(endOf({ outcome: "done", message: message("stop") })).toEqual({ exitCode: 0, answer: "one two" });
  });

  test.each([
    ["length", 4, "max_tokens"],
    ["contextExceeded", 4, "--session"],
    ["refusal", 1, "refused"],
  ] as const)("tells that the model stopped by %s, with exit code %d", (stopReason, exitCode, part) => {
    const end = endOf({ outcome: "done", message: message(stopReason) });
    expect(end.exitCode).toBe(exitCode);
    expect(end.answer).toBe("one two");
    expect(end.problem).toContain(part);
  });

  test("gives no answer that a failure cut short", () => {
    const failed = endOf({ outcome: "error", message: message("error", "overloaded") });
    expect(failed).toEqual({ exitCode: 1, answer: "", problem: "overloaded" });
    expect(endOf({ outcome: "error" })).toMatchObject({ exitCode: 1, answer: "" });
    expect(endOf({ outcome: "aborted", message: message("aborted") })).toMatchObject({ exitCode: 130, answer: "" });
  });

  test.each([
    [1, "1 turn;"],
    [50, "50 turns;"],
  ])("names the limit of %d", (turns, part) => {
    const end = endOf({ outcome: "limit", message: message("toolUse"), turns });
    expect(end).toMatchObject({ exitCode: 4, answer: "" });
    expect(end.problem).toContain(part);
  });
});
