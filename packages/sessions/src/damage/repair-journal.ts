import { truncateSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { failureText } from "@mdx-ai/base";
import { readEnd } from "@mdx-ai/base/disk";
import { asJournalError } from "../journal/journal.ts";
import { type JournalSnapshot, readJournal } from "../journal/read-journal.ts";

/** A journal whose last line is whole. */
export interface RepairedJournal extends JournalSnapshot {
  /** The file that keeps the torn line; absent if the last line was whole. */
  readonly kept?: string;
}

/**
 * Reads a journal; a missing file is an empty journal. An unfinished last line is cut off and kept in a file. Everything else that is
 * damaged stays as it is. Throws `JournalError` if that fails, or at a line of a newer version: then the journal is unchanged.
 */
export function repairJournal(path: string): RepairedJournal {
  const journal = readJournal(path);
  return journal.isTorn ? { ...journal, kept: cutTornLine(path, journal.end) } : journal;
}

function cutTornLine(path: string, end: number): string {
  const kept = `${path}.torn-${end}`;
  const failure = (cause: unknown): string =>
    `cannot set the unfinished last line of ${path} aside: ${failureText(cause)}`;
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

/** How many line numbers are listed. */
const LISTED = 10;

/** "line 3", "lines 3 and 7", "lines 1, 2, … and 5 more". */
function lineNumbers(numbers: readonly number[]): string {
  if (numbers.length === 1) return `line ${numbers[0]}`;
  if (numbers.length > LISTED) {
    return `lines ${numbers.slice(0, LISTED).join(", ")} and ${numbers.length - LISTED} more`;
  }
  return `lines ${numbers.slice(0, -1).join(", ")} and ${numbers.at(-1)}`;
}
