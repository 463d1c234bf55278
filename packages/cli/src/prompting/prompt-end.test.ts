import { describe, expect, test } from "bun:test";
import type { AssistantMessage, StopReason } from "@mdx-ai/models";
import { endOf } from "./prompt-end.ts";

const message = (stopReason: StopReason, errorMessage?: string): AssistantMessage => ({
  role: "assistant",
  content: [
    { type: "thinking", thinking: "hm" },
    { type: "text", text: "one " },
    { type: "text", text: "two" },
  ],
  provider: "test",
  model: "test",
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, thinking: 0, total: 0 },
  stopReason,
  ...(errorMessage !== undefined && { errorMessage }),
  timestamp: 0,
});

describe("the end of a prompt", () => {
  test("is the text of the last message", () => {
    expect(endOf({ outcome: "done", turns: 1, time: 0, message: message("stop") })).toEqual({
      exitCode: 0,
      answer: "one two",
    });
  });

  test.each([
    ["length", 4, "max_tokens"],
    ["contextExceeded", 4, "--session"],
    ["refusal", 1, "refused"],
  ] as const)("says that the model stopped by %s, with exit code %d", (stopReason, exitCode, part) => {
    const end = endOf({ outcome: "done", turns: 1, time: 0, message: message(stopReason) });
    expect(end.exitCode).toBe(exitCode);
    expect(end.answer).toBe("one two");
    expect(end.problem).toContain(part);
  });

  test("gives no answer that a failure cut short", () => {
    const failed = endOf({ outcome: "error", turns: 1, time: 0, message: message("error", "overloaded") });
    expect(failed).toEqual({ exitCode: 1, answer: "", problem: "overloaded" });
    expect(endOf({ outcome: "error", turns: 1, time: 0 })).toMatchObject({ exitCode: 1, answer: "" });
    expect(endOf({ outcome: "aborted", turns: 1, time: 0, message: message("aborted") })).toMatchObject({
      exitCode: 130,
      answer: "",
    });
  });

  test("names the limit that ended it, with exit code 4", () => {
    const limit = { limit: "turns", value: 50 } as const;
    expect(endOf({ outcome: "limit", message: message("toolUse"), turns: 50, time: 0, limit })).toEqual({
      exitCode: 4,
      answer: "",
      problem: "stopped at the limit of 50 turns; allow more with --max-turns N, or limits.turns in agent.mdx",
    });
    expect(endOf({ outcome: "limit", turns: 0, time: 0 })).toMatchObject({
      exitCode: 4,
      problem: "stopped at a limit",
    });
  });
});
