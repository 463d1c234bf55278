import {
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import { SEGMENT_STEP } from "../step-names.ts";
import { journalPaths, LIVE_JOURNAL, olderJournal, olderJournalNumber } from "./journal-paths.ts";
import type { SegmentHead } from "./segment-head.ts";

/**
 * Begins a new journal with what the older ones came to; the one that grew so far stays under a number. There is a whole
 * journal under its name at any moment. Throws what the file system says; the journal then goes on as it was.
 */
export function rollOver(folder: string, head: SegmentHead): void {
  const live = join(folder, LIVE_JOURNAL);
  const draft = join(folder, `${LIVE_JOURNAL}.${crypto.randomUUID()}.tmp`);
  const line = { v: JOURNAL_VERSION, prompt: 0, step: SEGMENT_STEP, result: head };
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(line)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    linkSync(live, join(folder, olderJournal(lastNumber(folder) + 1)));
    renameSync(draft, live);
  } catch (error) {
    rmSync(draft, { force: true });
    endRollOver(folder);
    throw error;
  }
  syncFolder(folder);
}

/** After a crash in the middle of a roll-over: takes the second name away that the journal has then. */
export function endRollOver(folder: string): void {
  const whole = new Set(journalPaths(folder));
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (olderJournalNumber(name) !== undefined && !whole.has(path) && lstatSync(path).isFile()) unlinkSync(path);
  }
}

const lastNumber = (folder: string): number =>
  Math.max(0, ...readdirSync(folder).flatMap((name) => olderJournalNumber(name) ?? []));

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
