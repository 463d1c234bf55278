import { basename, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FileLock, holderText, LockHeldError, lockHolder, takeLock } from "@mdx-ai/base/locks";
import { findSessionFolder } from "./session-folder.ts";

/** Another process has locked the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(id: string, cause: LockHeldError) {
    super(`session ${id} is in use by ${holderText(cause.holder)}`, { cause });
  }
}

/** Takes the lock of a session, as `takeLock` does. Throws `SessionInUseError`, or the file system's error. */
export function lockSession(path: string, id: string, now: number): FileLock {
  try {
    return takeLock(path, now);
  } catch (error) {
    throw error instanceof LockHeldError ? new SessionInUseError(id, error) : error;
  }
}

/** Runs `work` with the session of a folder locked. Throws as `lockSession` and `work` do. */
export function whileLocked<Result>(folder: string, now: number, work: () => Result): Result {
  const lock = lockSession(join(folder, "lock"), basename(folder), now);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** How often the lock is checked, in milliseconds. */
const INTERVAL = 200;

export interface WaitOptions {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once with the holder, such as "process 123 since 2026-04-28T10:00:00Z", unless the session is free at once. */
  readonly onHolder: (holder: string) => void;
}

/**
 * Resolves when no other process has locked a session, or `signal` fires. Another process may still lock it first.
 * Rejects with `SessionIdError`, `JournalError` at a symbolic link, or the file system's error.
 */
export async function sessionFree(dataDir: string, id: string, { signal, onHolder }: WaitOptions): Promise<void> {
  let isReported = false;
  for (let holder = sessionHolder(dataDir, id); holder !== undefined; holder = sessionHolder(dataDir, id)) {
    if (!isReported) onHolder(holder);
    isReported = true;
    await sleep(INTERVAL, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

/** The process that has locked a session, for people; undefined if there is no such process or session. */
export function sessionHolder(dataDir: string, id: string): string | undefined {
  const folder = findSessionFolder(dataDir, id);
  const holder = folder === undefined ? undefined : lockHolder(join(folder, "lock"));
  return holder && holderText(holder);
}
