import { join } from "node:path";
import { replaceFileSync } from "../files/replace-file.ts";
import type { SegmentHead } from "../history/segment-head.ts";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import { SEGMENT_STEP } from "../step-names.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";

/** Puts a new journal with a head in the place of the one that grew so far, in one move. Throws what the file system says. */
export function beginJournal(folder: string, head: SegmentHead): void {
  const line = { v: JOURNAL_VERSION, prompt: 0, step: SEGMENT_STEP, result: head };
  replaceFileSync({ path: join(folder, LIVE_JOURNAL), text: `${JSON.stringify(line)}\n` });
}
