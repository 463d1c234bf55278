/** Why a store refuses: what the caller named is missing, taken or wrong, or the store itself cannot work. */
export type MemoryStoreProblem =
  | "unknown_vault"
  | "unknown_memory"
  /** A vault or memory of this id or title exists. */
  | "exists"
  | "invalid"
  /** Another process holds the store for too long. */
  | "busy"
  | "damaged"
  /** The store cannot be reached, opened or written. */
  | "unavailable";

/** A memory store refused an operation. The message is for users. */
export class MemoryStoreError extends Error {
  override readonly name = "MemoryStoreError";
  readonly problem: MemoryStoreProblem;

  constructor(problem: MemoryStoreProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}
