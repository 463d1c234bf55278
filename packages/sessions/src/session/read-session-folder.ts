import { join } from "node:path";
import type { Redactor } from "@mdx-ai/base";
import { removeTempFiles } from "@mdx-ai/base/disk";
import { type ContextPolicy, firstNeeded } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { closingLines, promptDamage } from "../damage/close-prompt.ts";
import { repairJournal, tornText, unreadableText } from "../damage/repair-journal.ts";
import { segmentHead } from "../history/segment-head.ts";
import { type JournalLease, type JournalLine, openJournalFile } from "../journal/journal.ts";
import { endArchiving, endRollOver, importHistory } from "./begin-journal.ts";
import { journalPaths, LIVE_JOURNAL, readJournalLines, requireJournal } from "./session-journals.ts";
import { readTranscript, type Transcript } from "./transcript.ts";

export interface SessionFilesOptions extends JournalLease {
  /** Of the session. Absolute. */
  readonly folder: string;
  /** The policy for the sent part of the transcript; the rest need not be in memory. */
  readonly policy: ContextPolicy;
  /** The size in bytes at which a new journal is begun. Default: 8 MiB. */
  readonly longFrom?: number | undefined;
  /** Redacts all files of the session. */
  readonly redactor?: Redactor | undefined;
  /** The user's `ownerMark`, written to a session when it has no pending work; a session without it is untrusted. Absent: all sessions are trusted. */
  readonly owner?: string | undefined;
  /** Receives one line about each fixed damage. */
  readonly onWarning: (message: string) => void;
}

/** The journals that were read. */
export interface SessionLines {
  /** The lines of as many of the newest journals as are needed. */
  readonly lines: readonly JournalLine[];
  readonly transcript: Transcript;
  /** Whether there are unreadable lines. */
  readonly isDamaged: boolean;
}

/** Closes an interrupted prompt that cannot be resumed, and reads the journals. */
export function readSessionFolder(options: SessionFilesOptions): SessionLines {
  const { folder } = options;
  removeTempFiles(folder);
  endRollOver(folder);
  const imported = importHistory(folder, options.clock.now(), options.redactor);
  if (imported !== undefined) options.onWarning(imported);
  requireJournal(folder);
  const found = readNeeded(options);
  const read = closeUnusable(found.transcript.interrupted, options) ? readNeeded(options) : found;
  const archive = segmentHead(read.lines[0])?.archive;
  if (archive !== undefined) endArchiving(folder, archive);
  for (const name of ["archive", "checkpoints"]) removeTempFiles(join(folder, name));
  return read;
}

/** Closes an interrupted prompt that cannot be resumed: none of its calls runs again. Returns whether there was one. */
function closeUnusable(lines: readonly JournalLine[] | undefined, options: SessionFilesOptions): boolean {
  const reason = lines && promptDamage(lines);
  if (lines === undefined || reason === undefined) return false;
  closePrompt(lines, options);
  options.onWarning(`prompt ${lines[0]?.prompt} ${reason} and is closed; its results are kept`);
  return true;
}

/** Closes an interrupted prompt in the journal, given its lines. No other writer may be active. Throws `JournalError`. */
export function closePrompt(
  lines: readonly JournalLine[],
  { folder, clock, ...writing }: Pick<SessionFilesOptions, "folder" | "clock" | "redactor">,
): void {
  const journal = openJournalFile(join(folder, LIVE_JOURNAL), writing);
  try {
    for (const line of closingLines(lines, clock.now())) journal.append(line);
  } finally {
    journal.close();
  }
}

/** Reads as many of the newest journals as are needed; the oldest ones of a long session usually are not. */
function readNeeded({ folder, policy, onWarning }: SessionFilesOptions): SessionLines {
  const left = [...journalPaths(folder)];
  let isDamaged = false;
  const next = (): readonly JournalLine[] => {
    const path = left.pop();
    if (path === undefined) return [];
    const { lines, unreadable, kept } = repairJournal(path);
    if (kept !== undefined) onWarning(`${tornText(path)}; it was moved to ${kept}`);
    if (unreadable.length > 0)
      onWarning(`${unreadableText(path, unreadable)}; the session continues without them, and the file is unchanged`);
    isDamaged ||= unreadable.length > 0;
    return lines;
  };
  let lines = next();
  for (;;) {
    const transcript = readTranscript(lines);
    if (left.length === 0) return { lines, transcript, isDamaged };
    // If the head of a journal is damaged, the older journals have the same data.
    const isKnown = !transcript.isCutOff && segmentHead(lines[0]) !== undefined;
    const needed = isKnown ? firstNeeded(transcript.conversation, policy) : undefined;
    if (needed !== undefined && transcript.conversation.first <= needed) return { lines, transcript, isDamaged };
    // A single pass, since each one takes time.
    const older: (readonly JournalLine[])[] = [];
    do older.unshift(next());
    while (left.length > 0 && !reachesBack(older[0], needed));
    lines = [...older.flat(), ...lines];
  }
}

/** Whether a journal begins before a message of the transcript; false if unknown. */
function reachesBack(lines: readonly JournalLine[] | undefined, needed: number | undefined): boolean {
  const head = segmentHead(lines?.[0]);
  return needed !== undefined && head !== undefined && head.messages - head.tail.length <= needed;
}

/** All messages of the prompts that have ended, read from disk. */
export const wholeTranscript = (folder: string): readonly Message[] =>
  readTranscript(readJournalLines(folder)).conversation.messages;
