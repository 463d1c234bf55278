import type { TestOutcome } from "./run-cases.ts";

/** How many tests ended in which way. */
export interface OutcomeCounts {
  readonly passed: number;
  readonly failed: number;
  readonly stopped: number;
}

export function countOutcomes(outcomes: readonly TestOutcome[]): OutcomeCounts {
  const count = (wanted: TestOutcome["status"]): number => outcomes.filter(({ status }) => status === wanted).length;
  return { passed: count("passed"), failed: count("failed"), stopped: count("stopped") };
}
