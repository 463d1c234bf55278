import type { AgentDirectory } from "@mdx-ai/parser";
import type { DifferenceLine } from "../comparing/text-difference.ts";
import type { AgentRun } from "../opening/agent-run.ts";
import type { Surroundings } from "../surroundings.ts";

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
  /** What was expected ("-") and what came ("+" where the two are compared, else " "); may be empty. */
  readonly lines: readonly DifferenceLine[];
}

/** One test, of whatever kind. */
export interface TestCase {
  /** What it tests, such as the name of a tool. */
  readonly subject: string;
  readonly name: string;
  readonly place: TestPlace;
  /** Resolves to undefined if it passed. What it gives after the signal has fired does not count. */
  run(signal: AbortSignal): Promise<TestFailure | undefined>;
}

/** A run of tests: what it is of, and what it runs in. */
export interface TestRun {
  /** Without its modules. */
  readonly directory: AgentDirectory;
  /** With its modules, which no test loads. */
  readonly whole: AgentDirectory;
  /** Whether the tools of recorded sessions run again. */
  readonly isLive: boolean;
  readonly run: AgentRun;
  /** Its tool host reaches no network where the system can see to that. */
  readonly surroundings: Surroundings;
}

/** Finds the tests of one kind, and runs none of them: the directory may not be trusted yet. */
export type TestSource = (test: TestRun) => Promise<readonly TestCase[]>;
