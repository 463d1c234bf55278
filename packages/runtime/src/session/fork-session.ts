import { constants, copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { moveToNew } from "./change-session.ts";
import { journalPaths } from "./journal-paths.ts";
import { lookAtLines } from "./look-at-lines.ts";
import { sessionFolder, sessionsFolder } from "./session-folder.ts";
import { checkSessionId } from "./session-id.ts";
import { lockSession } from "./session-lock.ts";
import { openStoredSession, type StoredSession } from "./stored-session.ts";
import { readTranscript } from "./transcript.ts";
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
export async function forkSession(agentDir: string, { from, to, at, now, onWarning }: SessionFork): Promise<number> {
  checkSessionId(to);
  const folder = sessionFolder(agentDir, from);
  const lines = lookAtLines(folder);
  const head = at ?? readTranscript(lines).head;
  requirePrompt(from, head, lines);
  // What starts with a dot is no session.
  const draft = join(sessionsFolder(agentDir), `.fork-${crypto.randomUUID()}`);
  const lock = lockSession(join(folder, "lock"), from, now);
  try {
    mkdirSync(draft, { mode: 0o700 });
    for (const path of journalPaths(folder)) {
      if (existsSync(path)) copyFileSync(path, join(draft, basename(path)), constants.COPYFILE_FICLONE);
    }
    moveToNew(draft, join(sessionsFolder(agentDir), to), to);
  } finally {
    lock.release();
    rmSync(draft, { recursive: true, force: true });
  }
  await within(agentDir, { id: to, now, onWarning }, async (session) => {
    for (const { number } of session.queued) await session.dequeue(number);
    await session.rewind(head);
  });
  return head;
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
export async function rewindSession(agentDir: string, { to, ...opening }: SessionRewinding): Promise<void> {
  sessionFolder(agentDir, opening.id);
  await within(agentDir, opening, (session) => session.rewind(to));
}

async function within(
  agentDir: string,
  { id, now, onWarning }: Omit<SessionRewinding, "to">,
  work: (session: StoredSession) => Promise<void>,
): Promise<void> {
  const session = openStoredSession({ directory: sessionsFolder(agentDir), id, now: () => now, onWarning });
  try {
    await work(session);
  } finally {
    session.close();
  }
}
