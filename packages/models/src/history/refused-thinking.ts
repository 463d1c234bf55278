import { ModelError } from "../errors/model-error.ts";

/** How a protocol refuses to take thinking back. */
export interface ThinkingRefusal {
  /** Whether a failure with status 400 says so. */
  isRefusal(error: ModelError): boolean;
  /** What marks each piece of thinking in the body of a request: its signature or what is encrypted. */
  marksIn(body: string): readonly string[];
}

/** The thinking that a server refused to take back, which would be refused with each further request. */
export class RefusedThinking {
  readonly #refusal: ThinkingRefusal;
  readonly #marks = new Set<string>();

  constructor(refusal: ThinkingRefusal) {
    this.#refusal = refusal;
  }

  has(mark: string): boolean {
    return this.#marks.has(mark);
  }

  /**
   * Looks at why a request failed. If the thinking in its body was the cause, that is remembered, and the failure that is
   * given back is transient: the next attempt goes without that thinking.
   */
  learn(error: unknown, body: string): unknown {
    if (!(error instanceof ModelError) || error.failure.status !== 400 || !this.#refusal.isRefusal(error)) return error;
    const marks = this.#refusal.marksIn(body);
    for (const mark of marks) this.#marks.add(mark);
    const failure = { ...error.failure, kind: "thinking_refused", retryAfter: 0, isTransient: true };
    return marks.length === 0 ? error : new ModelError(error.message, failure);
  }
}
