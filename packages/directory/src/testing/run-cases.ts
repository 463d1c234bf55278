import { errorMessage } from "@mdx-ai/runtime/error-message";
import type { TestCase, TestFailure } from "./test-case.ts";

/** How a test ended; `stopped`: it was broken off or never begun. */
export interface TestOutcome {
  readonly test: TestCase;
  readonly status: "passed" | "failed" | "stopped";
  /** Of a failed test. */
  readonly failure?: TestFailure;
  readonly milliseconds: number;
}

export interface RunCasesOptions {
  /** How many run at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called when a test begins. */
  readonly onBegin: (test: TestCase) => void;
  /** Called with the outcomes in the order of the tests, each as soon as all before it have ended. */
  readonly onEnd: (outcome: TestOutcome) => void;
}

/** Runs tests and returns their outcomes in the order of the tests. Once the signal has fired no other begins. Never rejects. */
export async function runCases(tests: readonly TestCase[], options: RunCasesOptions): Promise<readonly TestOutcome[]> {
  const { jobs, signal, onBegin, onEnd } = options;
  const outcomes = new Map<number, TestOutcome>();
  const waiting = tests.entries();
  let told = 0;
  const work = async (): Promise<void> => {
    for (const [index, test] of waiting) {
      if (!signal.aborted) onBegin(test);
      outcomes.set(index, await runCase(test, signal));
      for (let next = outcomes.get(told); next !== undefined; next = outcomes.get(told)) {
        onEnd(next);
        told += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, tests.length) }, work));
  return tests.flatMap((_test, index) => outcomes.get(index) ?? []);
}

async function runCase(test: TestCase, signal: AbortSignal): Promise<TestOutcome> {
  if (signal.aborted) return { test, status: "stopped", milliseconds: 0 };
  const start = performance.now();
  const failure = await test.run(signal).catch(couldNotRun);
  const milliseconds = performance.now() - start;
  if (signal.aborted) return { test, status: "stopped", milliseconds };
  return failure === undefined
    ? { test, status: "passed", milliseconds }
    : { test, status: "failed", failure, milliseconds };
}

const couldNotRun = (error: unknown): TestFailure => ({
  message: `the test could not be run: ${errorMessage(error)}`,
  lines: [],
});

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
