/** The user broke off a question. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  constructor() {
    super("interrupted");
  }
}
