import { basename } from "node:path";
import { segmentHead } from "../history/segment-head.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { lookAtJournal } from "../journal/read-journal.ts";
import { journalPaths } from "./journal-paths.ts";

/** What a reader that changes nothing sees of a session's journals. */
export interface LookedAt {
  /** All that can be read. */
  readonly lines: readonly JournalLine[];
  /** What cannot, or only in part. */
  readonly damage: readonly DamagedLine[];
  /** The length of the whole lines of the newest journal, in bytes. */
  readonly end: number;
}

/** A line that cannot be read, or only in part. */
export interface DamagedLine {
  /** The name of the journal, such as "journal-0001.jsonl". */
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/**
 * Reads a session's journals: takes no lock and changes nothing. Throws `JournalError` if a journal cannot be read, or is of
 * a newer version.
 */
export function lookAtJournals(folder: string): LookedAt {
  const paths = journalPaths(folder);
  const journals = paths.map((path) => ({ file: basename(path), ...lookAtJournal(path) }));
  // Another process has begun a new journal meanwhile: the lines have moved to other names.
  if (journalPaths(folder).join("\n") !== paths.join("\n")) return lookAtJournals(folder);
  return {
    lines: linesSinceClear(journals.flatMap((journal) => journal.lines)),
    damage: journals.flatMap(({ file, unreadable }) => unreadable.map((line) => ({ file, line }))),
    end: journals.at(-1)?.end ?? 0,
  };
}

/** The lines that can be read. Throws as `lookAtJournals` does. */
export const lookAtLines = (folder: string): readonly JournalLine[] => lookAtJournals(folder).lines;

/** Without what came before the last /clear, in the middle of which a process may have ended. */
export function linesSinceClear(lines: readonly JournalLine[]): readonly JournalLine[] {
  const cleared = lines.findLastIndex((line) => segmentHead(line)?.archive !== undefined);
  return cleared > 0 ? lines.slice(cleared) : lines;
}
