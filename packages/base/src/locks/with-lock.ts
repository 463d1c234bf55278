import { type FileLock, LockHeldError, takeLock } from "./file-lock.ts";

/** The number of attempts, and the wait between them in milliseconds. */
const TRIES = 500;
const PAUSE = 20;

/**
 * Runs `work` while holding the lock at `path`; waits up to ten seconds for it. Takes over the lock of a dead process. Rejects
 * with `LockHeldError`, the error of `work`, or the file system's error.
 */
export async function withLock<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  const lock = await awaitedLock(path);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Takes a lock, also from a dead process; undefined if another process holds it. Throws the file system's error. */
export function tryLock(path: string): FileLock | undefined {
  try {
    return takeLock(path, Date.now());
  } catch (error) {
    if (error instanceof LockHeldError) return undefined;
    throw error;
  }
}

async function awaitedLock(path: string): Promise<FileLock> {
  for (let left = TRIES; left > 1; left--) {
    const lock = tryLock(path);
    if (lock) return lock;
    await Bun.sleep(PAUSE);
  }
  return takeLock(path, Date.now());
}
