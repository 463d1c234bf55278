import type { UserMessage } from "@mdx-ai/models";
import type { AgentEvent } from "./types/event.ts";
import type { Answer, Question, Waiting } from "./types/question.ts";

/** As `STEPS` forms it: follows from earlier results, and is unique within a prompt. */
export type StepName = string;

/** What a step may use while it runs. */
export interface StepContext {
  /** Fires when the prompt is cancelled, or when the deadline of a step has passed. */
  readonly signal: AbortSignal;
  /**
   * Waits for the user's answer within a step that must not run twice. A crash meanwhile does not end the step: it is run again, and
   * asks again. Absent if the host cannot keep that. Rejects as `wait` does, or if the host stops.
   */
  readonly waiting?: Waiting;
}

/** How the result of a step is kept, and the answer for a step that a crash interrupted. */
export interface StepOptions<Result> {
  /** Narrows a kept result; a result that it refuses counts as damage. */
  accepts(value: unknown): value is Result;
  /**
   * Whether a crash matters: "outside" if `run` does something that cannot be undone, so that it begins when all earlier
   * results are kept for good; "none" if it only reads and computes. Default: "outside".
   */
  readonly effect?: "none" | "outside";
  /**
   * Given for a step that must not run twice: that it was started is kept before `run` begins. If an earlier process
   * started it without a result, this answers instead of `run`.
   */
  readonly interrupted?: (() => Result) | undefined;
  /** The prompt's deadline, in milliseconds since 1970: the host aborts what still runs then. */
  readonly deadline?: number | undefined;
  /**
   * Makes what `run` needs, without any effect outside. A host may call it while it keeps earlier results, and need not:
   * `run` must do without.
   */
  prepare?(context: StepContext): void;
}

/** Runs `run` once and keeps its result, which must be JSON. */
export type Step = <Result>(
  name: StepName,
  run: (context: StepContext) => Promise<Result>,
  options: StepOptions<Result>,
) => Promise<Result>;

/** The user's input to a running prompt. */
export interface HostInbox {
  /** The input since the last request, before the one of a turn; nothing once the prompt is cancelled. */
  take(turn: number): Promise<readonly UserMessage[]>;
  /** Accepts no more input. Resolves to the texts that were not taken. May be called again after a crash. */
  close(): Promise<readonly string[]>;
}

/**
 * Executes the effects of a prompt. The loop is a deterministic function of the host's results: it starts its
 * operations in an order that follows from earlier results alone, so a host may identify them by name or by position.
 * It awaits one operation at a time, or several by `inOrder`.
 */
export interface Host {
  readonly step: Step;
  /** Resolves after this many milliseconds, or earlier when the prompt ends. */
  sleep(name: StepName, milliseconds: number): Promise<void>;
  /**
   * Waits for the user's answer and keeps it, however long that takes. A cancelled prompt answers "no", by "stop".
   */
  ask(name: StepName, question: Question): Promise<Answer>;
  readonly inbox: HostInbox;
  /**
   * The results of operations that this host has started, in the order in which they were completed the first time. If one
   * rejects, this rejects when all have ended.
   */
  inOrder<Result>(started: readonly Promise<Result>[]): AsyncIterable<readonly [index: number, result: Result]>;
  /**
   * Reports an event. The loop numbers events, the same way in every repetition, and may report one again that a step reported
   * while it ran: `onceEach` passes on what is new.
   */
  emit(event: AgentEvent): void;
}
