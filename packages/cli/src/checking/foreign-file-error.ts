/** A file that this program did not write stands where it would write one. */
export class ForeignFileError extends Error {
  override readonly name = "ForeignFileError";
}
