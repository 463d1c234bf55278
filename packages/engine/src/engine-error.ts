/** The engine cannot be used. The message says what to do. */
export class EngineError extends Error {
  override readonly name = "EngineError";
}
