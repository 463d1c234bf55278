import { lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { draftName, sweepDrafts } from "../files/drafts.ts";
import { deleteSessionLogs, renameSessionLogs } from "../log/change-session-logs.ts";
import { SessionExistsError } from "./session-exists-error.ts";
import { sessionFolder, sessionsFolder } from "./session-folder.ts";
import { checkSessionId } from "./session-id.ts";
import { lockSession } from "./session-lock.ts";

export interface SessionRenaming {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Gives a session and its logs another id. Throws `SessionIdError`, `UnknownSessionError`, `SessionExistsError`,
 * `SessionInUseError`, `JournalError`, or what the file system says; the session then stays as it was.
 */
export function renameSession(dataDir: string, { from, to, now }: SessionRenaming): void {
  checkSessionId(to);
  const folder = sessionFolder(dataDir, from);
  const target = join(sessionsFolder(dataDir), to);
  const lock = lockSession(join(folder, "lock"), from, now);
  try {
    moveToNew(folder, target, to);
    renameSessionLogs(dataDir, from, to);
    // It went along.
    rmSync(join(target, "lock"), { force: true });
  } finally {
    lock.release();
  }
}

/**
 * Removes a session with its history, its archive and its logs. Throws `SessionIdError`, `UnknownSessionError`, `SessionInUseError`,
 * `JournalError`, or what the file system says.
 */
export function deleteSession(dataDir: string, id: string, now: number): void {
  // Also where the session is not there any more, since a process ended while it removed it.
  sweepDrafts(sessionsFolder(dataDir), ".");
  const folder = sessionFolder(dataDir, id);
  const aside = join(sessionsFolder(dataDir), draftName(".deleted"));
  const lock = lockSession(join(folder, "lock"), id, now);
  try {
    // A crash then leaves no half of a session; what starts with a dot is none.
    renameSync(folder, aside);
  } finally {
    lock.release();
  }
  rmSync(aside, { recursive: true, force: true });
  deleteSessionLogs(dataDir, id);
}

/** Moves the folder of a session to a name that is free. Throws `SessionExistsError`, or what the file system says. */
export function moveToNew(folder: string, target: string, id: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) throw new SessionExistsError(id);
  renameSync(folder, target);
}
