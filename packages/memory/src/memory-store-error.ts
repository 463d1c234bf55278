/** Why a store refuses an operation: the vault, memory or value is missing, taken or invalid, or the store does not work. */
export type MemoryStoreProblem =
  | "unknown_vault"
  | "unknown_memory"
  /** A vault or memory with this id or title exists. */
  | "exists"
  | "invalid"
  /** Another process keeps the store locked for too long. */
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
