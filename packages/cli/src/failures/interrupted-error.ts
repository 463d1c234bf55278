/** The user or the system broke off what was under way. */
export class InterruptedError extends Error {
  override readonly name = "InterruptedError";

  constructor() {
    super("interrupted");
  }
}
