import { describe, expect, test } from "bun:test";
import { incidentLine } from "../../../packages/cli/src/output/prompt-lines.ts";

const retry = { type: "model_retry", delay: 500, attempt: 1, attempts: 2 } as const;

describe("the line of a repetition", () => {
  test.each([
    ["overloaded", "overloaded; asking again in 0.5 s (1 of 2)"],
    ["could not reach x. Is it up?", "could not reach x. Is it up? Asking again in 0.5 s (1 of 2)"],
    ["it broke.", "it broke. Asking again in 0.5 s (1 of 2)"],
  ])("goes on behind %j", (reason, line) => {
    expect(incidentLine({ ...retry, reason })).toBe(line);
  });
});
