import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftName } from "../files/drafts.ts";
import { syncFolderNow } from "../files/sync-folder.ts";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import { SEGMENT_STEP } from "../step-names.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";
import type { SegmentHead } from "./segment-head.ts";

/** Puts a new journal with a head in the place of the one that grew so far, in one move. Throws what the file system says. */
export function beginJournal(folder: string, head: SegmentHead): void {
  const draft = join(folder, draftName(LIVE_JOURNAL));
  const line = { v: JOURNAL_VERSION, prompt: 0, step: SEGMENT_STEP, result: head };
  try {
    const descriptor = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(line)}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(draft, join(folder, LIVE_JOURNAL));
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolderNow(folder);
}
