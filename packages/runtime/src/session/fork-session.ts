import { constants, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { readFixedJournal } from "../damage/fix-journal.ts";
import { draftName, sweepDrafts } from "../files/drafts.ts";
import { openJournalFile } from "../journal/journal-file.ts";
import { JOURNAL_VERSION } from "../journal/journal-line.ts";
import { numberedStep } from "../step-names.ts";
import { moveToNew } from "./change-session.ts";
import { journalPaths, LIVE_JOURNAL } from "./journal-paths.ts";
import { lookAtLines } from "./look-at-lines.ts";
import { sessionFolder, sessionsFolder } from "./session-folder.ts";
import { checkSessionId } from "./session-id.ts";
import { makeSessionKey } from "./session-key.ts";
import { lockSession } from "./session-lock.ts";
import { openStoredSession, type StoredSession } from "./stored-session.ts";
import { readTranscript, type Transcript } from "./transcript.ts";
import { requirePrompt } from "./unknown-prompt-error.ts";

export interface SessionFork {
  readonly from: string;
  readonly to: string;
  /** The last prompt that the fork has; 0 for none. The last that has ended where absent. */
  readonly at?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/**
 * Makes a new session that has said what another one said up to a prompt; the other one stays as it is. Gives the prompt.
 * Rejects with `SessionIdError`, `UnknownSessionError`, `UnknownPromptError`, `SessionExistsError`, `SessionInUseError`,
 * `JournalError`, or what the file system says; there is no new session then.
 */
export async function forkSession(dataDir: string, { now, onWarning, ...fork }: SessionFork): Promise<number> {
  const head = await copySession(dataDir, { now, ...fork });
  // Its first opening writes its view of the history.
  await within(dataDir, { id: fork.to, now, onWarning }, async () => {});
  return head;
}

async function copySession(dataDir: string, { from, to, at, now }: Omit<SessionFork, "onWarning">): Promise<number> {
  checkSessionId(to);
  const folder = sessionFolder(dataDir, from);
  sweepDrafts(sessionsFolder(dataDir), ".");
  // What starts with a dot is no session.
  const draft = join(sessionsFolder(dataDir), draftName(".fork"));
  const lock = lockSession(join(folder, "lock"), from, now);
  try {
    const lines = lookAtLines(folder);
    const transcript = readTranscript(lines);
    const head = at ?? transcript.head;
    requirePrompt(from, head, lines);
    mkdirSync(draft, { mode: 0o700 });
    for (const path of journalPaths(folder)) {
      copyFileSync(path, join(draft, basename(path)), constants.COPYFILE_FICLONE);
    }
    makeSessionKey(draft);
    await beginBranch(draft, { transcript, head, at: now });
    moveToNew(draft, join(sessionsFolder(dataDir), to), to);
    return head;
  } finally {
    lock.release();
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Where a copy goes on, and what was copied. */
interface Branch {
  readonly transcript: Transcript;
  /** A prompt. */
  readonly head: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Lets a copy go on from a prompt; what waits in the queue, and what was interrupted, stays the other session's. */
async function beginBranch(folder: string, { transcript, head, at }: Branch): Promise<void> {
  const live = join(folder, LIVE_JOURNAL);
  // A half line at its end would make the next one unreadable.
  readFixedJournal(live);
  const { counts, queued } = transcript;
  const journal = openJournalFile(live);
  try {
    const line = { v: JOURNAL_VERSION, prompt: 0 } as const;
    for (const { number } of queued) journal.append({ ...line, step: numberedStep("unqueue", number), result: { at } });
    const step = numberedStep("head", counts.heads + 1);
    journal.append({ ...line, step, result: { prompt: head, at } });
    await journal.sync();
  } finally {
    journal.close();
  }
}

export interface SessionRewinding {
  readonly id: string;
  /** The prompt with which the transcript is to end; 0 for an empty one. */
  readonly to: number;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly onWarning: (message: string) => void;
}

/**
 * Lets the transcript of a session end with an earlier prompt, or with one that was left by going back before. Nothing is
 * deleted. Rejects as `forkSession` does; the session then stays as it was.
 */
export async function rewindSession(dataDir: string, { to, ...opening }: SessionRewinding): Promise<void> {
  sessionFolder(dataDir, opening.id);
  await within(dataDir, opening, (session) => session.rewind(to));
}

async function within(
  dataDir: string,
  { id, now, onWarning }: Omit<SessionRewinding, "to">,
  work: (session: StoredSession) => Promise<void>,
): Promise<void> {
  const session = openStoredSession({ directory: sessionsFolder(dataDir), id, now: () => now, onWarning });
  try {
    await work(session);
  } finally {
    session.close();
  }
}
