import { errorMessage } from "@mdx-ai/base";
import type { JournalLine } from "./journal-line.ts";

/** The destination of a session's lines. */
export interface Journal {
  /** Hands a line to the operating system: it survives the death of this process. Throws `JournalError`. */
  append(line: JournalLine): void;
  /** Resolves when every line appended so far is on disk. Calls of one moment share one sync. Rejects with `JournalError`. */
  sync(): Promise<void>;
  close(): void;
}

/** A journal that keeps nothing, for runs that leave no session behind. */
export const forgetfulJournal: Journal = { append() {}, sync: async () => {}, close() {} };

/** A journal that cannot be read or written. The message names the file and what to do. */
export class JournalError extends Error {
  override readonly name = "JournalError";
}

/** Returns the result of `work`. Wraps its errors in a `JournalError`, with the message that `text` makes. */
export function asJournalError<Result>(work: () => Result, text: (cause: unknown) => string = errorMessage): Result {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof JournalError ? cause : new JournalError(text(cause), { cause });
  }
}
