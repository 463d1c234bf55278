import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { journalPaths } from "./journal-paths.ts";

/**
 * All lines of a session's journals that can be read, for somebody who only looks: takes no lock and changes nothing. Throws
 * `JournalError` where a journal cannot be read, or is of a newer version.
 */
export const lookAtLines = (folder: string): readonly JournalLine[] =>
  journalPaths(folder).flatMap((path) => lookAtJournal(path).lines);
