import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** What a crash leaves of files that were being written, of locks that were being taken, and of sessions that were being made or deleted. */
const LEFTOVER = /^(lock\.(\d+|dead)-[\da-f-]{36}|.+\.[\da-f-]{36}\.tmp|\.(deleted|fork)-[\da-f-]{36})$/;

/** Milliseconds after which nobody can still be at work on it. */
const OLD = 60_000;

/** The paths of what crashes left in a folder. Throws what the file system says. */
export const leftovers = (folder: string, now: number): readonly string[] =>
  readdirSync(folder)
    .filter((name) => LEFTOVER.test(name))
    .map((name) => join(folder, name))
    .filter((path) => now - changeTime(path) > OLD);

/** Removes them. Throws what the file system says. */
export function removeLeftovers(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** Of one that has gone meanwhile: now. */
const changeTime = (path: string): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
