import { errorMessage } from "../error-message.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { journalPaths } from "./journal-paths.ts";

/** All lines of a session's journals, for somebody who only looks: takes no lock and changes nothing. Throws `JournalError`. */
export function lookAtLines(folder: string): readonly JournalLine[] {
  return ownJournalPaths(folder).flatMap(lookAtJournal);
}

/** As `journalPaths`. Throws `JournalError` alone. */
export function ownJournalPaths(folder: string): readonly string[] {
  try {
    return journalPaths(folder);
  } catch (cause) {
    throw new JournalError(errorMessage(cause), { cause });
  }
}
