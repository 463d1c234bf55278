/** What is known of a failed model call. */
export interface ModelErrorDetails {
  /** HTTP status; absent where the failure has none, such as one in mid-stream. */
  readonly status?: number;
  /** The provider's name of the kind of failure, such as "overloaded_error". */
  readonly kind?: string;
  readonly cause?: unknown;
}

/** A model call that failed, or that was aborted. The message is for people, one line, and never holds a key. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly status: number | undefined;
  readonly kind: string | undefined;

  constructor(message: string, details: ModelErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.status = details.status;
    this.kind = details.kind;
  }
}
