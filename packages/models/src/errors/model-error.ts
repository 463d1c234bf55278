import type { ModelFailure } from "../types/message.ts";

/** What is known of a failed model call. */
export interface ModelErrorDetails extends Partial<ModelFailure> {
  readonly cause?: unknown;
}

/** The `kind` of a request that does not fit the model's context. */
export const contextExceeded = "context_exceeded";

/** Statuses after which the same request may succeed: time-outs, conflicts, too many requests, a server in trouble. */
const transientStatuses: readonly number[] = [408, 409, 429];

/** A model call that failed, or that was aborted. The message is for people, one line, and never holds a key. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Without `isTransient`, the status decides whether another attempt may succeed. */
  readonly failure: ModelFailure;

  constructor(message: string, { cause, ...known }: ModelErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = { isTransient: isTransientStatus(known.status), ...known };
  }
}

function isTransientStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || transientStatuses.includes(status));
}

/** An answer that is over before its end. */
export const unfinished = (host: string): ModelError =>
  new ModelError(`the answer from ${host} ended before it was complete`, { kind: "unfinished", isTransient: true });

/** An answer that arrived, but breaks the protocol. Something on the way may have spoilt it. */
export const unreadable = (problem: string): ModelError =>
  new ModelError(problem, { kind: "unreadable", isTransient: true });

/** An answer that would fill the memory. The next one would, too. */
export const tooLong = (host: string, part: string): ModelError =>
  new ModelError(`${host} sent ${part} that is too long`, { kind: "too_long" });
