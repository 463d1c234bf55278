import { type FileLock, LockHeldError, takeLock } from "./file-lock.ts";

/** How often the lock is tried, and how long to wait between, in milliseconds: others hold it for a few. */
const TRIES = 500;
const PAUSE = 20;

/**
 * Runs `work` while no other process holds the lock at `path`; waits up to ten seconds for it. The lock of a dead process is taken
 * over. Rejects with `LockHeldError`, as `work` does, or with what the file system says.
 */
export async function withLock<Result>(path: string, work: () => Result | Promise<Result>): Promise<Result> {
  const lock = await awaitedLock(path);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Takes a lock, even that of a dead process; undefined if another process holds it. Throws what the file system says. */
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
