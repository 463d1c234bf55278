import { expect, test } from "bun:test";
import { runScenario } from "../conformance/run-scenario.ts";
import { REVISIONS, requiredScenarios } from "../conformance/scenarios.ts";

const SHORT = [
  ["2025-11-25", "sse-retry"],
  ["2025-11-25", "auth/metadata-default"],
  ["2026-07-28", "http-custom-headers"],
  ["2026-07-28", "auth/scope-step-up"],
] as const;

/** Milliseconds that only a program that hangs needs: more than each limit of the driver and the suite. */
const DEADLINE = 120_000;

test.each(SHORT)(
  "the program conforms to MCP %s in the scenario %s",
  async (revision, name) => {
    const result = await runScenario({ revision, name });
    expect(result).toEqual({ scenario: { revision, name }, successes: expect.any(Number), problems: [] });
    expect(result.successes).toBeGreaterThan(2);
  },
  DEADLINE,
);

test("what the suite requires is known", () => {
  expect(REVISIONS.map((revision) => requiredScenarios(revision).length)).toEqual([18, 32]);
});
