/** An agent directory that cannot run. Where it has mistakes, they were shown already. */
export class InvalidDirectoryError extends Error {
  override readonly name = "InvalidDirectoryError";
}
