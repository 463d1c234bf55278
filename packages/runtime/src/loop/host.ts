import type { ToolCall, UserMessage } from "@mdx-ai/models";
import type { LoopEvent } from "../types/event.ts";
import type { PermissionDecision } from "../types/permission.ts";

/** What a step may use while it runs. */
export interface StepContext {
  /** Fires when the prompt is cancelled, or when the deadline of a step has passed. */
  readonly signal: AbortSignal;
  /** Resolves when everything journaled so far is on disk. Rejects with `JournalError`. */
  flushed(): Promise<void>;
}

/** How the result of a step is kept, and the answer for a step that a crash interrupted. */
export interface StepOptions<Result> {
  /** Narrows a journaled result; a result that it refuses counts as damage of the journal. */
  accepts(value: unknown): value is Result;
  /**
   * Given for a step that must not run twice: a *started* marker is journaled before `run` begins. If a marker has no
   * result, this answers instead of `run`.
   */
  readonly interrupted?: (() => Result) | undefined;
  /**
   * `run` begins without waiting for the disk. It awaits `flushed` itself before it does what a crash must not repeat; a step
   * that changes nothing outside need not.
   */
  readonly deferFlush?: boolean;
  /** The prompt's deadline, in milliseconds since 1970: the host aborts what still runs then. */
  readonly deadline?: number | undefined;
}

/** Runs `run` once and keeps its result, which must be JSON. Names are deterministic and unique within a prompt. */
export type Step = <Result>(
  name: string,
  run: (context: StepContext) => Promise<Result>,
  options: StepOptions<Result>,
) => Promise<Result>;

/**
 * Executes the effects of a prompt. The loop is a deterministic function of the host's results: it starts its
 * operations in an order that follows from earlier results alone, so a host may identify them by name or by position.
 * A host that repeats a prompt resolves operations in the order in which they were completed the first time.
 */
export interface Host {
  readonly step: Step;
  /** Resolves after this many milliseconds, or earlier when the prompt ends. */
  sleep(name: string, milliseconds: number): Promise<void>;
  /** Asks the user whether a call may run. A cancelled prompt is a denial. */
  ask(name: string, call: ToolCall): Promise<PermissionDecision>;
  /** Takes the user's input since the last request; nothing once the prompt is cancelled. */
  inbox(turn: number): Promise<readonly UserMessage[]>;
  /** Reports an event. Hosts number events, the same way in every repetition. */
  emit(event: LoopEvent): void;
}
