import { lstatSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { draftName, sweepDrafts } from "../files/drafts.ts";
import { deleteSessionLogs, renameSessionLogs } from "../log/session-log-name.ts";
import { sessionFolder, sessionsFolder } from "./session-folder.ts";
import { checkSessionId } from "./session-id.ts";
import { lockSession } from "./session-lock.ts";
import { recordUsedId } from "./used-ids.ts";

/** The new id of a session is that of another one. */
export class SessionExistsError extends Error {
  override readonly name = "SessionExistsError";

  constructor(id: string) {
    super(`session ${JSON.stringify(id)} is there already; choose another name`);
  }
}

export interface SessionRenaming {
  readonly from: string;
  readonly to: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Gives a session and its logs another id. Throws `SessionIdError`, `UnknownSessionError`, `SessionExistsError`,
 * `SessionInUseError`, `JournalError`, or what the file system says; the session then keeps its id.
 */
export function renameSession(dataDir: string, { from, to, now }: SessionRenaming): void {
  checkSessionId(to);
  const folder = sessionFolder(dataDir, from);
  const sessions = sessionsFolder(dataDir);
  const target = join(sessions, to);
  const lock = lockSession(join(folder, "lock"), from, now);
  try {
    recordUsedId(sessions, from);
    moveToNew(folder, target, to);
    renameSessionLogs(dataDir, from, to);
    // The lock moved with the folder.
    rmSync(join(target, "lock"), { force: true });
  } finally {
    lock.release();
  }
}

/**
 * Removes a session with its history, its archive and its logs. Throws `SessionIdError`, `UnknownSessionError`,
 * `SessionInUseError`, `JournalError`, or what the file system says.
 */
export function deleteSession(dataDir: string, id: string, now: number): void {
  const sessions = sessionsFolder(dataDir);
  // First, since a process that ended while it removed this session left a draft and no session.
  sweepDrafts(sessions, ".");
  const folder = sessionFolder(dataDir, id);
  const draft = join(sessions, draftName(".deleted"));
  const lock = lockSession(join(folder, "lock"), id, now);
  try {
    recordUsedId(sessions, id);
    // A crash then leaves no half of a session: what starts with a dot is none.
    renameSync(folder, draft);
  } finally {
    lock.release();
  }
  rmSync(draft, { recursive: true, force: true });
  deleteSessionLogs(dataDir, id);
}

/** Moves the folder of a session to a free name. Throws `SessionExistsError`, or what the file system says. */
export function moveToNew(folder: string, target: string, id: string): void {
  if (lstatSync(target, { throwIfNoEntry: false })) throw new SessionExistsError(id);
  renameSync(folder, target);
}
