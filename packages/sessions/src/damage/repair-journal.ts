import { truncateSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { failureText } from "@mdx-ai/base";
import { readEnd } from "@mdx-ai/base/disk";
import { asJournalError } from "../journal/journal.ts";
import { type JournalSnapshot, readJournal } from "../journal/read-journal.ts";

/** A journal whose last line is complete. */
export interface RepairedJournal extends JournalSnapshot {
  /** The file with the torn line; absent if the last line was complete. */
  readonly kept?: string;
}

/**
 * Reads a journal; a missing file is an empty journal. An unfinished last line is moved to a file of its own. Other
 * damage is left. Throws `JournalError` if that fails, or at a line of a newer version; the journal is then unchanged.
 */
export function repairJournal(path: string): RepairedJournal {
  const journal = readJournal(path);
  return journal.isTorn ? { ...journal, kept: cutTornLine(path, journal.end) } : journal;
}

function cutTornLine(path: string, end: number): string {
  const kept = `${path}.torn-${end}`;
  const failure = (cause: unknown): string =>
    `cannot move the unfinished last line of ${path} to another file: ${failureText(cause)}`;
  return asJournalError(() => {
    writeFileSync(kept, readEnd(path, end), { mode: 0o600 });
    truncateSync(path, end);
    return kept;
  }, failure);
}

/** Describes a torn line for people. */
export const tornText = (path: string): string => `the last line of ${basename(path)} is unfinished`;

/** Describes lines for people, such as "lines 3 and 7 of journal.jsonl cannot be read". */
export const unreadableText = (path: string, unreadable: readonly number[]): string =>
  `${lineNumbers(unreadable)} of ${basename(path)} cannot be read`;

/** The maximum number of listed line numbers. */
const LISTED = 10;

/** "line 3", "lines 3 and 7", "lines 1, 2, … and 5 more". */
function lineNumbers(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length > LISTED) {
    return `lines ${numbers.slice(0, LISTED).join(", ")} and ${numbers.length - LISTED} more`;
  }
  return `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
