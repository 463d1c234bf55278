import { join } from "node:path";
import { replaceFileNow } from "../files/replace-file-now.ts";
import { syncFolderNow } from "../files/sync-folder.ts";
import type { SegmentHead } from "../history/segment-head.ts";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import { SEGMENT_STEP } from "../step-names.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";

/** Puts a new journal with a head in the place of the one that grew so far, in one move. Throws what the file system says. */
export function beginJournal(folder: string, head: SegmentHead): void {
  const line = { v: JOURNAL_VERSION, prompt: 0, step: SEGMENT_STEP, result: head };
  replaceFileNow(join(folder, LIVE_JOURNAL), [`${JSON.stringify(line)}\n`]);
  syncFolderNow(folder);
}
