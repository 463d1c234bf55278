/** A file that has mends cannot be written. */
export class UnfixableFileError extends Error {
  override readonly name = "UnfixableFileError";
}
