/** TypeScript ended without an answer: it could not be started, crashed or took too long. */
export class TypeCheckError extends Error {
  override readonly name = "TypeCheckError";
}
