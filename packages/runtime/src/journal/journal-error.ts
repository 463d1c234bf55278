/** A journal that cannot be read or written. The message names the file and what to do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}
