import type { UserMessage } from "@mdx-ai/models";
import type { AgentEvent } from "./types/event.ts";
import type { Answer, Question, Waiting } from "./types/question.ts";

/** A name from `STEPS`: it follows from earlier results and is unique within a prompt. */
export type StepName = string;

/** The context of a running step. */
export interface StepContext {
  /** Fires when the prompt is cancelled or the step's deadline has passed. */
  readonly signal: AbortSignal;
  /**
   * Waits for the user's answer within a step: the deadline does not count the time. A step that must not run twice runs again after a
   * crash meanwhile, and asks again. Absent if the host does not support that. Rejects as `wait` does, or if the host stops.
   */
  readonly waiting?: Waiting;
}

/** How a step's result is stored, and the result of an interrupted step. */
export interface StepOptions<Result> {
  /** Narrows a stored result. A rejected result counts as damaged. */
  accepts(value: unknown): value is Result;
  /**
   * Whether `run` has side effects. "outside": it may do something irreversible, so it begins when all earlier
   * results are durable; "none": it only reads and computes. Default: "outside".
   */
  readonly effect?: "none" | "outside";
  /**
   * Set for a step that must not run twice: the start is stored before `run` begins. If an earlier process
   * started it without a result, this is used instead of `run`.
   */
  readonly interrupted?: (() => Result) | undefined;
  /** The prompt's deadline, in milliseconds since 1970, at which the host aborts the step. */
  readonly deadline?: number | undefined;
  /**
   * Prepares resources for `run`, without side effects. A host may call it while it stores earlier results, or not at all:
   * `run` must work without it.
   */
  prepare?(context: StepContext): void;
}

/** Runs `run` once and stores its result, which must be JSON. */
export type Step = <Result>(
  name: StepName,
  run: (context: StepContext) => Promise<Result>,
  options: StepOptions<Result>,
) => Promise<Result>;

/** Further user input for a running prompt. */
export interface HostInbox {
  /**
   * Takes the input since the last request, before the request of a turn. Empty once the prompt is cancelled. `isLast`: the prompt ends if
   * there is none, so a host may wait for input that it expects.
   */
  take(turn: number, isLast?: boolean): Promise<readonly UserMessage[]>;
  /** Closes the inbox. Resolves to the texts that were not taken. May be called again after a crash. */
  close(): Promise<readonly string[]>;
}

/**
 * Executes the effects of a prompt. The loop is a deterministic function of the host's results: it starts its
 * operations in an order that follows from earlier results alone, so a host may identify them by name or by position.
 * It awaits one operation at a time, or several by `inOrder`.
 */
export interface Host {
  readonly step: Step;
  /** Resolves after this many milliseconds, or when the prompt ends. */
  sleep(name: StepName, milliseconds: number): Promise<void>;
  /**
   * Waits for the user's answer without a time limit, and stores it. A cancelled prompt answers "no", by "stop".
   */
  ask(name: StepName, question: Question): Promise<Answer>;
  readonly inbox: HostInbox;
  /**
   * Yields the results of started operations in the order of their first completion. If one
   * rejects, this rejects when all have ended.
   */
  inOrder<Result>(started: readonly Promise<Result>[]): AsyncIterable<readonly [index: number, result: Result]>;
  /**
   * Reports an event. The loop numbers events the same way in every repetition, and may report again an event that a step reported
   * while it ran; `onceEach` passes each on once.
   */
  emit(event: AgentEvent): void;
}
