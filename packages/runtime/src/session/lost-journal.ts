import { statSync } from "node:fs";
import { basename, join } from "node:path";
import { JournalError } from "../journal/journal-error.ts";
import { journalPaths, LIVE_JOURNAL } from "./journal-paths.ts";

/** The size of a view that shows no message. */
const EMPTY_VIEW = "[]\n".length;

/**
 * Makes sure that a session which has said something has its journal: to begin a new one would write over what is left.
 * Throws `JournalError` where the journal is missing, or empty, and `history.json` or an older journal is not.
 */
export function requireJournal(folder: string): void {
  const live = join(folder, LIVE_JOURNAL);
  const stats = statSync(live, { throwIfNoEntry: false });
  // Anything else in its place is reported when it is read.
  if (stats && (!stats.isFile() || stats.size > 0)) return;
  const witness = witnessOf(folder, live);
  if (witness === undefined) return;
  throw new JournalError(
    `${live} is ${stats ? "empty" : "missing"}, although ${witness} shows that there was a conversation; put it back, or use another session (--session NAME)`,
  );
}

/** What shows that there was a conversation. */
function witnessOf(folder: string, live: string): string | undefined {
  if (sizeOf(join(folder, "history.json")) > EMPTY_VIEW) return "history.json";
  const older = journalPaths(folder).find((path) => path !== live && sizeOf(path) > 0);
  return older && basename(older);
}

/** Bytes; 0 where no file is there. */
function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}
