import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type FileLock, LockHeldError, takeLock } from "../lock/file-lock.ts";
import { MemoryError } from "./memory-error.ts";
import { checkMemoryPlaces } from "./memory-file.ts";

/** How often another process is waited for, and how long each time, in milliseconds: it needs a few. */
const TRIES = 500;
const PAUSE = 20;

/**
 * Does work while no other process changes the memories, so that of two that remember at once neither is lost. What a dead
 * process left behind is taken over. `now` is milliseconds since 1970. Rejects with `MemoryError`, as `work` does, or with what
 * the file system says.
 */
export async function whileLocked<Result>(
  path: string,
  now: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  checkMemoryPlaces(path);
  const lock = await taken(join(dirname(path), "memory.lock"), now);
  try {
    return await work();
  } finally {
    lock.release();
  }
}

async function taken(path: string, now: () => number): Promise<FileLock> {
  const folder = dirname(path);
  await mkdir(folder, { mode: 0o700 }).catch(() => {});
  for (let attempt = 1; ; attempt++) {
    try {
      return takeLock(path, now());
    } catch (cause) {
      if (!(cause instanceof LockHeldError)) throw cause;
      if (attempt === TRIES)
        throw new MemoryError(`another process holds ${path}; try again when it is gone`, { cause });
    }
    await Bun.sleep(PAUSE);
  }
}
