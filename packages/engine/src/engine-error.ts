import { StoreUnavailableError } from "@mdx-ai/sessions";

/** The engine cannot be used. The message says what to do. */
export class EngineError extends StoreUnavailableError {
  override readonly name = "EngineError";
}
