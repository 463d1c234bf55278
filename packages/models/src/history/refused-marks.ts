import { ModelError } from "../errors.ts";

/** How the servers of a protocol refuse to take back what a model thought. */
export interface RefusalForm {
  /** Whether a failure with status 400 is such a refusal. */
  isRefusal(error: ModelError): boolean;
  /** What identifies the thinking in the body of a request, such as its signatures. */
  marksIn(body: string): readonly string[];
}

/** The marks of the thinking that a server has refused, and would refuse in every further request. */
export class RefusedMarks {
  readonly #form: RefusalForm;
  readonly #refused = new Set<string>();

  constructor(form: RefusalForm) {
    this.#form = form;
  }

  has(mark: string): boolean {
    return this.#refused.has(mark);
  }

  /**
   * The failure of a request with this body, as the caller should get it. If the server refused the thinking in it, the
   * failure is transient: the next attempt goes without that thinking.
   */
  learn(error: unknown, body: string): unknown {
    if (!(error instanceof ModelError) || error.failure.status !== 400 || !this.#form.isRefusal(error)) return error;
    const marks = this.#form.marksIn(body);
    if (marks.length === 0) return error;
    for (const mark of marks) this.#refused.add(mark);
    const failure = { ...error.failure, kind: "thinking_refused", retryAfter: 0, isTransient: true };
    return new ModelError(error.message, failure);
  }
}
