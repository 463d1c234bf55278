import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { journalPaths } from "./journal-paths.ts";
import { segmentHead } from "./segment-head.ts";

/** What somebody sees of a session's journals who only looks. */
export interface LookedAt {
  /** All that can be read. */
  readonly lines: readonly JournalLine[];
  /** How many cannot. */
  readonly damagedLines: number;
  /** The length of the whole lines of the newest journal, in bytes. */
  readonly end: number;
}

/**
 * Looks at a session's journals: takes no lock and changes nothing. Throws `JournalError` where a journal cannot be read, or is
 * of a newer version.
 */
export function lookAtJournals(folder: string): LookedAt {
  const paths = journalPaths(folder);
  const journals = paths.map(lookAtJournal);
  // Another process has begun a new journal meanwhile: the lines are under other names now.
  if (journalPaths(folder).join("\n") !== paths.join("\n")) return lookAtJournals(folder);
  const lines = journals.flatMap((journal) => journal.lines);
  const damagedLines = journals.reduce((count, { unreadable }) => count + unreadable.length, 0);
  return { lines: linesSinceClear(lines), damagedLines, end: journals.at(-1)?.end ?? 0 };
}

/** The lines that can be read. Throws as `lookAtJournals` does. */
export const lookAtLines = (folder: string): readonly JournalLine[] => lookAtJournals(folder).lines;

/** Without what came before the last /clear, in the middle of which a process may have ended. */
export function linesSinceClear(lines: readonly JournalLine[]): readonly JournalLine[] {
  const cleared = lines.findLastIndex((line) => segmentHead(line)?.archive !== undefined);
  return cleared > 0 ? lines.slice(cleared) : lines;
}
