import type { JournalLine } from "./journal-line.ts";

/** Where the lines of a session go. */
export interface Journal {
  /** Hands a line to the operating system: it survives the death of this process. Throws `JournalError`. */
  append(line: JournalLine): void;
  /** Resolves when every line appended so far is on disk. Calls of one moment share one sync. Rejects with `JournalError`. */
  sync(): Promise<void>;
  close(): void;
}

/** A journal that keeps nothing, for runs that leave no session behind. */
export const forgetfulJournal: Journal = { append() {}, sync: async () => {}, close() {} };
