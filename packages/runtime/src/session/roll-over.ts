import { linkSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { isSameFile } from "../files/file-identity.ts";
import type { SegmentHead } from "../history/segment-head.ts";
import { beginJournal } from "./begin-journal.ts";
import { LIVE_JOURNAL, olderJournal, olderJournalNumber } from "./journal-paths.ts";

/**
 * Begins a new journal with what the older ones came to; the one that grew so far stays under a number. There is a whole
 * journal under its name at any moment. Throws what the file system says; the journal then goes on as it was.
 */
export function rollOver(folder: string, head: SegmentHead): void {
  try {
    linkSync(join(folder, LIVE_JOURNAL), join(folder, olderJournal(lastNumber(folder) + 1)));
    beginJournal(folder, head);
  } catch (error) {
    endRollOver(folder);
    throw error;
  }
}

/** After a crash in the middle of a roll-over: takes the second name away that the journal has then. */
export function endRollOver(folder: string): void {
  const last = join(folder, olderJournal(lastNumber(folder)));
  if (isSameFile(last, join(folder, LIVE_JOURNAL))) unlinkSync(last);
}

const lastNumber = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).flatMap((name) => olderJournalNumber(name) ?? []));
