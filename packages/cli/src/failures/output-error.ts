import { errorMessage } from "./error-message.ts";

/** Standard output cannot be written, for another reason than that its reader went away. */
export class OutputError extends Error {
  override readonly name = "OutputError";

  constructor(cause: unknown) {
    super(`the output cannot be written: ${errorMessage(cause)}`, { cause });
  }
}
