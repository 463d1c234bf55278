/** Standard output cannot be written, for another reason than that its reader went away. */
export class OutputError extends Error {
  override readonly name = "OutputError";

  constructor(cause: unknown) {
    super(`the output cannot be written: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
