/** What the user wants to be remembered, noted or forgotten could not be written; the message says why and what to do. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}
