/** What the user wants an agent to know could not be read or written; the message says why. */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
}
