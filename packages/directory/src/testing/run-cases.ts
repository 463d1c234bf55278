import { errorMessage } from "@mdx-ai/base";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { FrontEnd } from "../front-end.ts";
import type { PreparedRun } from "../opening/prepare-run.ts";
import type { DifferenceLine } from "./text-difference.ts";

/** The outcome of a test. `stopped`: it was aborted or never began. */
export interface TestOutcome {
  readonly test: TestCase;
  readonly status: "passed" | "failed" | "stopped";
  /** The failure of a failed test. */
  readonly failure?: TestFailure;
  readonly milliseconds: number;
}

export interface RunCasesOptions {
  /** The number of tests that run at once. */
  readonly jobs: number;
  readonly signal: AbortSignal;
  /** Called when a test begins. */
  readonly onBegin: (test: TestCase) => void;
  /** Called with the outcomes in the order of the tests, each as soon as all before it have ended. */
  readonly onEnd: (outcome: TestOutcome) => void;
}

/** Runs tests and returns their outcomes in the order of the tests. No test begins once the signal has fired. Never rejects. */
export async function runCases(tests: readonly TestCase[], options: RunCasesOptions): Promise<readonly TestOutcome[]> {
  const { jobs, signal, onBegin, onEnd } = options;
  const outcomes = new Map<number, TestOutcome>();
  const waiting = tests.entries();
  let reported = 0;
  const work = async (): Promise<void> => {
    for (const [index, test] of waiting) {
      if (!signal.aborted) onBegin(test);
      outcomes.set(index, await runCase(test, signal));
      for (let next = outcomes.get(reported); next !== undefined; next = outcomes.get(reported)) {
        onEnd(next);
        reported += 1;
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

/** The number of tests by outcome. */
export interface OutcomeCounts {
  readonly passed: number;
  readonly failed: number;
  readonly stopped: number;
}

export function countOutcomes(outcomes: readonly TestOutcome[]): OutcomeCounts {
  const count = (wanted: TestOutcome["status"]): number => outcomes.filter(({ status }) => status === wanted).length;
  return { passed: count("passed"), failed: count("failed"), stopped: count("stopped") };
}

/** The position of a test; lines and columns start at 1. */
interface TestPlace {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Why a test failed. */
export interface TestFailure {
  /** One line. */
  readonly message: string;
  /** Expected ("-") and received ("+" in a comparison, else " ") lines; may be empty. */
  readonly lines: readonly DifferenceLine[];
}

/** One test of any kind. */
export interface TestCase {
  /** The tested subject, such as the name of a tool. */
  readonly subject: string;
  readonly name: string;
  readonly place: TestPlace;
  /** Resolves to undefined if it passed. A result after the signal has fired is ignored. */
  run(signal: AbortSignal): Promise<TestFailure | undefined>;
}

/** A test run: its subject and its environment. */
export interface TestRun {
  /** The run, with a directory without modules. */
  readonly run: PreparedRun;
  /** The directory with its modules, which tests do not load. */
  readonly whole: AgentDirectory;
  /** Whether the tools of recorded sessions run again. */
  readonly isLive: boolean;
  /** The front end. Its tool host reaches no network if the system can ensure that. */
  readonly frontEnd: FrontEnd;
}

/** Finds the tests of one kind without running them: the directory may not be trusted yet. */
export type TestSource = (test: TestRun) => Promise<readonly TestCase[]>;
