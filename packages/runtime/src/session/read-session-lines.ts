import { segmentHead } from "../history/segment-head.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

/** What was read of a session's journals. */
export interface SessionLines {
  /** Of the newest journals, as many as were needed. */
  readonly lines: readonly JournalLine[];
  readonly transcript: Transcript;
}

export interface ReadingOptions {
  read(path: string): readonly JournalLine[];
  /** The index in the transcript of the first message that is needed; undefined if more must be read to know. */
  firstNeeded(transcript: Transcript): number | undefined;
}

/**
 * Reads as many of the newest of a session's journals, given in the order in which they were written, as are needed; the
 * oldest ones of a long session mostly are not.
 */
export function readSessionLines(paths: readonly string[], { read, firstNeeded }: ReadingOptions): SessionLines {
  let left = paths.length;
  const next = (): readonly JournalLine[] => read(paths[--left] ?? "");
  let lines = left > 0 ? next() : [];
  for (;;) {
    const transcript = readTranscript(lines);
    if (left === 0) return { lines, transcript };
    // If the head of a journal is damaged, all of them together say what it said.
    const isKnown = !transcript.isCutOff && segmentHead(lines[0]) !== undefined;
    const needed = isKnown ? firstNeeded(transcript) : undefined;
    if (needed !== undefined && transcript.conversation.first <= needed) return { lines, transcript };
    // All that is needed at once: each reading of the lines takes its time.
    const older: (readonly JournalLine[])[] = [];
    do older.unshift(next());
    while (left > 0 && !reachesBack(older[0], needed));
    lines = [...older.flat(), ...lines];
  }
}

/** Whether a journal begins before a message of the transcript; false if that is not known. */
function reachesBack(lines: readonly JournalLine[] | undefined, needed: number | undefined): boolean {
  const head = segmentHead(lines?.[0]);
  return needed !== undefined && head !== undefined && head.messages - head.tail.length <= needed;
}
