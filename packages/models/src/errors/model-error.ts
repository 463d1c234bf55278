import type { ModelFailure } from "../types/message.ts";

/** What is known of a failed model call. */
export interface ModelErrorDetails extends Partial<ModelFailure> {
  readonly cause?: unknown;
}

/** The `kind` of a request that does not fit the model's context. */
export const contextExceeded = "context_exceeded";

/** Statuses after which the same request may go well: time-outs, conflicts, too many requests, a server in trouble. */
const transientStatuses: readonly number[] = [408, 409, 429];

/** A model call that failed, or that was aborted. The message is for people, one line, and never holds a key. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  /** Whether it is worth another attempt is read off the status where nobody says. */
  readonly failure: ModelFailure;

  constructor(message: string, { cause, ...known }: ModelErrorDetails = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.failure = { isTransient: isTransientStatus(known.status), ...known };
  }
}

function isTransientStatus(status: number | undefined): boolean {
  return status !== undefined && (status >= 500 || transientStatuses.includes(status));
}
