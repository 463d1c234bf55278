import { mkdirSync, rmdirSync, statSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";

/** Milliseconds after which whoever made a lock must have died: it is held for less than one. */
const STALE = 3_000;

/** Does some short work while no other process does so under the same lock, which is a folder. Throws what the work throws. */
export function underLock<Result>(path: string, work: () => Result): Result {
  while (!tryMake(path)) Bun.sleepSync(1);
  try {
    return work();
  } finally {
    removeLock(path);
  }
}

function tryMake(path: string): boolean {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
    if (ageOf(path) > STALE) removeLock(path);
    return false;
  }
}

/** Milliseconds. One that is yet to be made is as old: the clock was set back since. */
function ageOf(path: string): number {
  return Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()));
}

function removeLock(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody took it for stale.
  }
}
