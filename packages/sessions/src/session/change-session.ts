import { constants, copyFileSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { attempt, dataLayout } from "@mdx-ai/base";
import { draftName, removeTempFiles, sizeOf } from "@mdx-ai/base/disk";
import { STEPS } from "@mdx-ai/loop";
import { repairJournal } from "../damage/repair-journal.ts";
import { idsOf, readHistory } from "../history/read-history.ts";
import { newestIds } from "../history/segment-head.ts";
import { type JournalLine, openJournalFile, resultLine } from "../journal/journal.ts";
import { readJournal } from "../journal/read-journal.ts";
import { importHistory } from "./begin-journal.ts";
import { deleteFromDailyLogs, renameInDailyLogs } from "./daily-logs.ts";
import { recordUsedId } from "./new-session.ts";
import {
  checkSessionId,
  lockSession,
  SessionExistsError,
  sessionFolder,
  sessionNames,
  sessionsFolder,
  whileLocked,
} from "./session-folder.ts";
import { journalPaths, LIVE_JOURNAL, readJournalLines } from "./session-journals.ts";
import { makeSessionKey, readSessionKey, workMark } from "./session-key.ts";
import { deleteSessionLogs, renameSessionLogs } from "./session-log-name.ts";
import { sessionModel } from "./session-model.ts";
import { givenTitle, keepTitle } from "./session-title.ts";
import { copySkillChoices } from "./skill-choices.ts";
import { openStoredSession, type StoredSession } from "./stored-session.ts";
import { readTranscript, requirePrompt } from "./transcript.ts";

export interface SessionRenaming {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Renames a session and its logs. Throws `SessionIdError`, `UnknownSessionError`, `SessionExistsError`,
 * `SessionInUseError`, `JournalError`, or what the file system says; the session then keeps its id.
 */
export function renameSession(dataDir: string, { from, to, now }: SessionRenaming): void {
  checkSessionId(to);
  const folder = sessionFolder(dataDir, from);
  const sessions = sessionsFolder(dataDir);
  const target = join(sessions, to);
  whileLocked(folder, now, () => {
    recordUsedId(sessions, from);
    moveToNew(folder, target);
    renameSessionLogs(dataDir, from, to);
    renameInDailyLogs(dataDir, from, to);
    // The lock moved with the folder.
    rmSync(join(target, "lock"), { force: true });
  });
}

/**
 * Removes a session with its history, its archive, its logs and its lines in the daily logs, and the sessions in which agents worked for
 * it: all of them, or none if one is in use. Throws `SessionIdError`, `UnknownSessionError`, `SessionInUseError`, `JournalError`, or what
 * the file system says.
 */
export function deleteSession(dataDir: string, id: string, now: number): void {
  // First, since a process that ended during the removal left only a draft.
  removeTempFiles(sessionsFolder(dataDir), ".");
  const all = withWork({ dataDir, id });
  // The session itself comes last, so that after a crash the rest is found again.
  whileAllLocked(all, now, () => all.toReversed().forEach(removeLocked));
}

interface StoredAt {
  readonly dataDir: string;
  readonly id: string;
}

/** A session, and those in which agents worked for it, and others for them. */
function withWork(session: StoredAt): readonly StoredAt[] {
  const key = readSessionKey(sessionFolder(session.dataDir, session.id));
  const { agents } = dataLayout(session.dataDir);
  const work =
    key === undefined
      ? []
      : (attempt(() => readdirSync(agents)) ?? []).flatMap((agent): StoredAt[] => {
          const dataDir = join(agents, agent);
          const names = sessionNames(dataLayout(dataDir).sessions).filter((name) =>
            name.slice(0, -8).endsWith(workMark(key)),
          );
          return names.map((id) => ({ dataDir, id }));
        });
  return [session, ...work.flatMap(withWork)];
}

function whileAllLocked([first, ...others]: readonly StoredAt[], now: number, work: () => void): void {
  if (first === undefined) work();
  else whileLocked(sessionFolder(first.dataDir, first.id), now, () => whileAllLocked(others, now, work));
}

function removeLocked({ dataDir, id }: StoredAt): void {
  const sessions = sessionsFolder(dataDir);
  const draft = join(sessions, draftName(".deleted"));
  recordUsedId(sessions, id);
  // After a crash no partial session is left: names that start with a dot are not sessions.
  renameSync(sessionFolder(dataDir, id), draft);
  rmSync(draft, { recursive: true, force: true });
  deleteSessionLogs(dataDir, id);
  deleteFromDailyLogs(dataDir, id);
}

/** Removes a session without prompts, title and chosen model. Never throws: on failure, or in use, the session stays. */
export function discardUnused(dataDir: string, id: string, now: number): void {
  attempt(() => {
    const folder = sessionFolder(dataDir, id);
    const isChosen = givenTitle(folder) !== undefined || sessionModel(dataDir, id) !== undefined;
    if (!isChosen && journalPaths(folder).every(holdsMarkAlone)) deleteSession(dataDir, id, now);
  });
}

/** Whether a journal contains at most its owner's signature, which opening a session writes. */
const holdsMarkAlone = (path: string): boolean =>
  sizeOf(path) <= MAX_OF_A_MARK && readJournal(path).lines.every(({ step }) => step === STEPS.owner.name());

/** The maximum bytes of a signature line. */
const MAX_OF_A_MARK = 512;

/** Moves the folder of a session to a free name. Throws `SessionExistsError`, or the file system's error. */
function moveToNew(folder: string, target: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) throw new SessionExistsError(basename(target));
  renameSync(folder, target);
}

export interface SessionFork {
  readonly from: string;
  readonly to: string;
  /** The last prompt of the fork; 0 for none. Default: the last prompt that has ended. */
  readonly at?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/**
 * Creates a session with the history of another one up to a prompt. The original does not change. Resolves to the number of that prompt.
 * Rejects with `SessionIdError`, `UnknownSessionError`, `UnknownPromptError`, `SessionExistsError`, `SessionInUseError`,
 * `JournalError`, or what the file system says; there is no new session then.
 */
export async function forkSession(dataDir: string, { now, onWarning, ...fork }: SessionFork): Promise<number> {
  const head = await copySession(dataDir, { now, onWarning, ...fork });
  // Its first opening writes its view of the history.
  await within(dataDir, { id: fork.to, now, onWarning }, async () => {});
  return head;
}

async function copySession(dataDir: string, { from, to, at, now, onWarning }: SessionFork): Promise<number> {
  checkSessionId(to);
  const folder = sessionFolder(dataDir, from);
  removeTempFiles(sessionsFolder(dataDir), ".");
  // Names that start with a dot are not sessions.
  const draft = join(sessionsFolder(dataDir), draftName(".fork"));
  const lock = lockSession(join(folder, "lock"), from, now);
  try {
    const imported = importHistory(folder, now);
    if (imported !== undefined) onWarning(`session ${from}: ${imported}`);
    const lines = readJournalLines(folder);
    const head = at ?? readTranscript(lines).head;
    requirePrompt(from, head, lines);
    mkdirSync(draft, { mode: 0o700 });
    for (const path of journalPaths(folder)) {
      copyFileSync(path, join(draft, basename(path)), constants.COPYFILE_FICLONE);
    }
    makeSessionKey(draft);
    keepTitle(draft, givenTitle(folder) ?? "");
    copySkillChoices(folder, draft);
    await beginBranch(draft, lines, { prompt: head, at: now });
    moveToNew(draft, join(sessionsFolder(dataDir), to));
    return head;
  } finally {
    lock.release();
    rmSync(draft, { recursive: true, force: true });
  }
}

/**
 * Makes a copy, given the lines of its journals, continue from a prompt. Queued input, the interrupted prompt, and the
 * ids of other prompts stay with the original session.
 */
async function beginBranch(folder: string, lines: readonly JournalLine[], branching: Branching): Promise<void> {
  const { highest, queued } = readTranscript(lines);
  const step = STEPS.head.name(highest.head + 1);
  const { path } = readHistory([...lines, resultLine(0, step, branching)]);
  const result = { ...branching, promptIds: newestIds(new Set(idsOf(path))) };
  const live = join(folder, LIVE_JOURNAL);
  // An incomplete last line would make the next one unreadable.
  repairJournal(live);
  const journal = openJournalFile(live);
  try {
    for (const { number } of queued) journal.append(resultLine(0, STEPS.unqueue.name(number), { at: branching.at }));
    journal.append(resultLine(0, step, result));
    await journal.sync();
  } finally {
    journal.close();
  }
}

/** The new last prompt of a transcript, and the time of the rewind in milliseconds since 1970. */
interface Branching {
  readonly prompt: number;
  readonly at: number;
}

export interface SessionRewinding {
  readonly id: string;
  /** The new last prompt of the transcript; 0 for an empty one. */
  readonly to: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/**
 * Ends the transcript of a session with an earlier prompt, or with a prompt of an abandoned branch. Nothing is
 * deleted. Rejects as `forkSession` does; the session is then unchanged.
 */
export async function rewindSession(dataDir: string, { to, ...opening }: SessionRewinding): Promise<void> {
  sessionFolder(dataDir, opening.id);
  await within(dataDir, opening, (session) => session.past.rewind(to));
}

async function within(
  dataDir: string,
  { id, now, onWarning }: Omit<SessionRewinding, "to">,
  work: (session: StoredSession) => Promise<void>,
): Promise<void> {
  const session = openStoredSession({ directory: sessionsFolder(dataDir), id, clock: { now: () => now }, onWarning });
  try {
    await work(session);
  } finally {
    session.close();
  }
}
