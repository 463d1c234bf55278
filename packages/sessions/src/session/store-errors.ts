/** The store of a session does not offer an operation. The message says what to do instead. */
export class UnsupportedOperationError extends Error {
  override readonly name = "UnsupportedOperationError";
}

/** A store changes a session only while no prompt runs or waits in it. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError";

  constructor(id: string) {
    super(`prompts of session ${id} run or wait; cancel them first`);
  }
}

/** The store of the sessions cannot be reached, or gives no answer. The message says what to do. */
export class StoreUnavailableError extends Error {
  override readonly name: string = "StoreUnavailableError";
}
