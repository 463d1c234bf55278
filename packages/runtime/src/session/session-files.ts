import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@mdx-ai/models";
import { type ContextPolicy, firstHeld, firstNeeded, forgetUnsent } from "../context/sent-messages.ts";
import { closingLines, closingReason } from "../damage/close-prompt.ts";
import { fixText, readFixedJournal } from "../damage/fix-journal.ts";
import { errorMessage } from "../error-message.ts";
import { sweepDrafts } from "../files/drafts.ts";
import { sizeOf } from "../files/read-file.ts";
import { lastingSteps, newestIds, type SegmentHead, segmentHead } from "../history/segment-head.ts";
import type { QueuedInput } from "../history/session-history.ts";
import { sessionStep } from "../hosts/local-host.ts";
import type { Journal } from "../journal/journal.ts";
import { openJournalFile } from "../journal/journal-file.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import type { Step } from "../loop/host.ts";
import type { Redactor } from "../redaction/redactor.ts";
import type { Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import { endArchiving, endRollOver, rollOver } from "./begin-journal.ts";
import { type HoldOptions, heldJournal } from "./held-journal.ts";
import { HistoryView, type Shown } from "./history-view.ts";
import { readSessionLines, type SessionLines } from "./read-session-lines.ts";
import { journalPaths, LIVE_JOURNAL, lookAtLines, requireJournal } from "./session-journals.ts";
import { type OwnCounts, readTranscript } from "./transcript.ts";

export interface SessionFilesOptions extends HoldOptions {
  /** Of the session. Absolute. */
  readonly folder: string;
  /** What of the transcript is sent, so that the rest need not be held. */
  readonly policy: ContextPolicy;
  /** Bytes from which on a journal is put aside and a new one begun; 8 MiB where absent. */
  readonly longFrom?: number | undefined;
  /** What it takes out reaches no file of the session. */
  readonly redactor?: Redactor | undefined;
  /** Receives what was wrong and has been fixed; one line. */
  readonly onWarning: (message: string) => void;
}

/** What a session knows between two archivings. */
export interface SessionFiles {
  readonly journal: Journal;
  readonly history: HistoryView;
  readonly conversation: Conversation;
  readonly ownStep: Step;
  spending: Spending;
  lastPrompt: number;
  interrupted: readonly JournalLine[] | undefined;
  queued: readonly QueuedInput[];
  /** Of the prompts that are known, the newest. */
  readonly promptIds: Set<string>;
  own: OwnCounts;
  /** Bytes of the journal from which on opening the session again puts it aside. */
  readonly longFrom: number;
}

const LONG = 8 * 1024 * 1024;

/** Opens the files of a session that this process has locked, and fixes them. Throws `JournalError`, or what the file system says. */
export function openSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { folder, policy, longFrom = LONG } = options;
  const read = isNew(folder) ? { lines: [], transcript: readTranscript([]) } : readFiles(options);
  const { own, counts, ...transcript } = read.transcript;
  const history = new HistoryView({
    path: join(folder, "history.json"),
    start: { messages: read.transcript.before.messages, bytes: read.transcript.before.history },
    whole: () => wholeTranscript(folder),
    redactor: options.redactor,
  });
  updateView({ history, conversation: transcript.conversation }, options);
  if (isLong(folder, longFrom) && !transcript.interrupted) beginNext(read, history.shown, options);
  forgetUnsent(transcript.conversation, policy);
  const journal = heldJournal(openJournalFile(join(folder, LIVE_JOURNAL), options.redactor), options);
  return {
    ...transcript,
    journal,
    history,
    ownStep: sessionStep(journal, own),
    own: counts,
    // What could not be put aside is not read again at each prompt.
    longFrom: longFrom + (isLong(folder, longFrom) ? journalSize(folder) : 0),
  };
}

/** Whether a folder holds its lock alone. */
const isNew = (folder: string): boolean => readdirSync(folder).every((name) => name === "lock");

/** Ends what a crash interrupted, and reads the journals. */
function readFiles(options: SessionFilesOptions): SessionLines {
  const { folder, policy } = options;
  sweepDrafts(folder);
  endRollOver(folder);
  requireJournal(folder);
  const readAll = (): SessionLines =>
    readSessionLines(journalPaths(folder), {
      read: (path) => readFixed(path, options),
      firstNeeded: ({ conversation }) => firstNeeded(conversation, policy),
    });
  const found = readAll();
  const read = closeUnusable(found.transcript.interrupted, options) ? readAll() : found;
  const archive = segmentHead(read.lines[0])?.archive;
  if (archive !== undefined) endArchiving(folder, archive);
  sweepDrafts(join(folder, "archive"));
  return read;
}

/** Closes an interrupted prompt that cannot be resumed: nothing of it runs again. Returns whether there was one. */
function closeUnusable(
  lines: readonly JournalLine[] | undefined,
  { folder, now, onWarning, redactor }: SessionFilesOptions,
): boolean {
  const prompt = lines?.[0]?.prompt;
  const reason = lines && closingReason(lines);
  if (lines === undefined || prompt === undefined || reason === undefined) return false;
  const journal = openJournalFile(join(folder, LIVE_JOURNAL), redactor);
  try {
    for (const line of closingLines(prompt, lines, now())) journal.append(line);
  } finally {
    journal.close();
  }
  onWarning(`prompt ${prompt} ${reason} and is closed; what was done is kept`);
  return true;
}

/** Whether the journal has grown so long, in bytes, that opening the session again puts it aside. */
export const isLong = (folder: string, longFrom: number): boolean => journalSize(folder) >= longFrom;

const journalSize = (folder: string): number => sizeOf(join(folder, LIVE_JOURNAL));

/** The view can be rebuilt from the journal later, so its failure does not end a prompt. */
export function updateView(
  { history, conversation }: Pick<SessionFiles, "history" | "conversation">,
  { onWarning }: Pick<SessionFilesOptions, "onWarning">,
): void {
  try {
    history.update(conversation);
  } catch (error) {
    onWarning(`history.json could not be written (${errorMessage(error)}); the journal holds all`);
  }
}

/** All messages of the prompts that have ended, as the disk has them. */
export const wholeTranscript = (folder: string): readonly Message[] =>
  readTranscript(lookAtLines(folder)).conversation.messages;

function readFixed(path: string, { onWarning }: SessionFilesOptions): readonly JournalLine[] {
  const { lines, fix } = readFixedJournal(path);
  if (fix) onWarning(fixText(fix));
  return lines;
}

/** A journal that cannot be put aside just goes on growing. */
function beginNext({ transcript, lines }: SessionLines, shown: Shown | undefined, options: SessionFilesOptions): void {
  if (!shown) return;
  const { conversation, lastPrompt, head, spending, queued, own } = transcript;
  const { compaction } = conversation;
  const next: SegmentHead = {
    lastPrompt,
    head,
    messages: shown.messages,
    tail: shortTail(conversation, options),
    ...(compaction && { compaction }),
    spending,
    own: lastingSteps(own, new Set(queued.map(({ number }) => number))),
    history: shown.bytes,
    promptIds: newestIds(transcript.promptIds),
  };
  try {
    rollOver(options.folder, next);
  } catch (error) {
    options.onWarning(`the journal of ${lines.length} lines could not be put aside: ${errorMessage(error)}`);
  }
}

/** What is held of the transcript, where it is short; else it stays in the older journals alone. */
function shortTail(conversation: Conversation, { policy, longFrom = LONG }: SessionFilesOptions): readonly Message[] {
  const { first, messages } = conversation;
  const tail = messages.slice(firstHeld(conversation, policy) - first);
  let room = longFrom / 4;
  for (const message of tail) {
    room -= JSON.stringify(message).length;
    if (room < 0) return [];
  }
  return tail;
}
