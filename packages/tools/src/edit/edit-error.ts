/** A file cannot be edited as requested; the message is for a model. */
export class EditError extends Error {
  override readonly name = "EditError";
}
