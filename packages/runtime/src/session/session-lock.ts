import { type FileLock, LockHeldError, takeLock } from "../lock/file-lock.ts";
import { holderText } from "../lock/lock-holder.ts";

/** Another process holds the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(id: string, cause: LockHeldError) {
    super(`session ${id} is in use by ${holderText(cause.holder)}`, { cause });
  }
}

/** Takes the lock of a session, as `takeLock` does. Throws `SessionInUseError`, or what the file system says. */
export function lockSession(path: string, id: string, now: number): FileLock {
  try {
    return takeLock(path, now);
  } catch (error) {
    throw error instanceof LockHeldError ? new SessionInUseError(id, error) : error;
  }
}
