import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage, once, type Redactor } from "@mdx-ai/base";
import { removeTempFiles, sizeOf, timeName } from "@mdx-ai/base/disk";
import {
  type ContextPolicy,
  type Conversation,
  firstHeld,
  firstNeeded,
  forgetUnsent,
  STEPS,
  type Step,
} from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { closingLines, promptDamage } from "../damage/close-prompt.ts";
import { repairJournal, tornText, unreadableText } from "../damage/repair-journal.ts";
import { segmentHead } from "../history/segment-head.ts";
import { sessionStep } from "../hosts/journaled-steps.ts";
import { type Journal, type JournalLease, type JournalLine, openJournalFile, resultLine } from "../journal/journal.ts";
import { endArchiving, endRollOver, importHistory, rollOver } from "./begin-journal.ts";
import { HistoryView, type Shown } from "./history-view.ts";
import { journalPaths, LIVE_JOURNAL, readJournalLines, requireJournal } from "./session-journals.ts";
import { makeSessionKey, sessionKey } from "./session-key.ts";
import { NO_CHOICES, readSkillChoices, type SkillChoices } from "./skill-choices.ts";
import { newTranscript, readTranscript, type Transcript } from "./transcript.ts";

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

/** The mutable state of an open session. */
type Changing = {
  -readonly [Key in
    | "cost"
    | "lastPrompt"
    | "interrupted"
    | "queued"
    | "highest"
    | "agentParts"
    | "modeNote"]: Transcript[Key];
};

/** The state of a session between two archivings. */
export interface SessionFiles extends Changing, Pick<Transcript, "conversation" | "promptIds"> {
  /** Unique: an earlier or later session with the same id has another key. */
  readonly key: string;
  readonly journal: Journal;
  /** Returns `history.json`, which is written after the first prompt. */
  readonly history: () => HistoryView;
  readonly ownStep: Step;
  isUntrusted: boolean;
  skills: SkillChoices;
  /** The journal size in bytes from which reopening the session begins a new journal. */
  readonly longFrom: number;
}

const LONG = 8 * 1024 * 1024;

/** Opens the files of a session that this process has locked, and fixes them. Throws `JournalError`, or the file system's error. */
export function openSessionFiles(options: SessionFilesOptions): SessionFiles {
  const { folder, policy, longFrom = LONG, redactor, owner } = options;
  const isNew = isEmpty(folder);
  const read = isNew ? { lines: [], transcript: newTranscript(), isDamaged: false } : readFiles(options);
  const { own, before, owner: ownedBy, ...transcript } = read.transcript;
  const history = once(
    () =>
      new HistoryView({
        path: join(folder, "history.json"),
        ...(read.isDamaged && { kept: join(folder, `history.json.damaged-${timeName(options.clock.now())}`) }),
        start: { messages: before.messages, bytes: before.history },
        whole: () => wholeTranscript(folder),
        redactor,
      }),
  );
  if (!isNew) {
    updateView({ history, conversation: transcript.conversation }, options);
    putAside(read, history().shown, options);
    forgetUnsent(transcript.conversation, policy);
  }
  const journal = openJournalFile(join(folder, LIVE_JOURNAL), { redactor, lease: options });
  const files = {
    ...transcript,
    key: isNew ? makeSessionKey(folder) : sessionKey(folder),
    journal,
    history,
    ownStep: sessionStep(journal, own),
    isUntrusted: owner !== undefined && ownedBy !== owner,
    skills: isNew ? NO_CHOICES : readSkillChoices(folder),
    // If the rollover failed, the journal is not read again at each prompt.
    longFrom: longFrom + (!isNew && isLong(folder, longFrom) ? journalSize(folder) : 0),
  };
  adopt(files, owner);
  return files;
}

/** Signs an untrusted session that has no pending work, so that it is trusted from now on. */
export function adopt(files: SessionFiles, owner: string | undefined): void {
  const { isUntrusted, interrupted, queued, journal } = files;
  if (owner === undefined || !isUntrusted || interrupted !== undefined || queued.length > 0) return;
  journal.append(resultLine(0, STEPS.owner.name(), owner));
  files.isUntrusted = false;
}

/** Begins a new journal if the current one has grown too long. */
function putAside({ lines, transcript }: SessionLines, shown: Shown | undefined, options: SessionFilesOptions): void {
  const { folder, longFrom = LONG, onWarning } = options;
  if (shown === undefined || transcript.interrupted || !isLong(folder, longFrom)) return;
  try {
    rollOver(folder, { ...transcript, shown, tail: shortTail(transcript.conversation, options) });
  } catch (error) {
    // The journal keeps growing.
    onWarning(`the journal of ${lines.length} lines could not be rolled over: ${errorMessage(error)}`);
  }
}

/** Whether a folder contains only its lock. */
const isEmpty = (folder: string): boolean => readdirSync(folder).every((name) => name === "lock");

/** Closes an interrupted prompt that cannot be resumed, and reads the journals. */
function readFiles(options: SessionFilesOptions): SessionLines {
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

/** Whether the journal has grown so long that reopening the session begins a new one. */
export const isLong = (folder: string, longFrom: number): boolean => journalSize(folder) >= longFrom;

const journalSize = (folder: string): number => sizeOf(join(folder, LIVE_JOURNAL));

/** The view can be rebuilt from the journal later, so its failure does not end a prompt. */
export function updateView(
  { history, conversation }: Pick<SessionFiles, "history" | "conversation">,
  { onWarning }: Pick<SessionFilesOptions, "onWarning">,
): void {
  try {
    history().update(conversation);
  } catch (error) {
    onWarning(`history.json could not be written (${errorMessage(error)}); the journal is complete`);
  }
}

/** All messages of the prompts that have ended, read from disk. */
export const wholeTranscript = (folder: string): readonly Message[] =>
  readTranscript(readJournalLines(folder)).conversation.messages;

/** The journals that were read. */
interface SessionLines {
  /** The lines of as many of the newest journals as are needed. */
  readonly lines: readonly JournalLine[];
  readonly transcript: Transcript;
  /** Whether there are unreadable lines. */
  readonly isDamaged: boolean;
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

/** The part of the transcript in memory, if it is short; otherwise it stays in the older journals only. */
function shortTail(conversation: Conversation, { policy, longFrom = LONG }: SessionFilesOptions): readonly Message[] {
  const { first, messages } = conversation;
  const tail = messages.slice(firstHeld(conversation, policy) - first);
  let room = longFrom / 4;
  const isShort = tail.every((message) => {
    room -= JSON.stringify(message).length;
    return room >= 0;
  });
  return isShort ? tail : [];
}
