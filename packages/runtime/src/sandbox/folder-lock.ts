import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";

/** Milliseconds after which the holder of a lock must have died: a lock is held for less than one. */
const STALE = 3_000;

/**
 * Runs some short work while no other process does so under the same lock. Throws what the work throws.
 *
 * The lock is a folder that holds one file, named after its holder. A folder takes its place by a rename, which succeeds
 * only where there is none or an empty one; and a lock is freed by the removal of that one file. So nobody can free a lock
 * that another process holds. `CLEAN_UP` in mount-points.ts takes the same lock from a shell.
 */
export function underLock<Result>(path: string, work: () => Result): Result {
  const holder = `${process.pid}-${crypto.randomUUID()}`;
  const draft = `${path}.${holder}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    while (!tryTake(draft, path, holder)) Bun.sleepSync(1);
    return work();
  } finally {
    release(path, holder);
    rmSync(draft, { recursive: true, force: true });
  }
}

function tryTake(draft: string, path: string, holder: string): boolean {
  try {
    // Its date says since when the lock is held.
    writeFileSync(join(draft, holder), "");
    renameSync(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    releaseStale(path);
    return false;
  }
}

/** Frees a lock whose holder died. */
function releaseStale(path: string): void {
  for (const holder of holdersOf(path)) if (ageOf(join(path, holder)) > STALE) release(path, holder);
}

function holdersOf(path: string): readonly string[] {
  try {
    return readdirSync(path);
  } catch {
    // It was freed meanwhile.
    return [];
  }
}

/** In milliseconds. A date in the future counts as past: the clock was set back since. */
function ageOf(path: string): number {
  return Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()));
}

/** Frees a lock if this holder has it; the lock of any other holder stays. */
function release(path: string, holder: string): void {
  try {
    unlinkSync(join(path, holder));
    rmdirSync(path);
  } catch {
    // Another process took the lock for stale, or has taken the free one already.
  }
}
