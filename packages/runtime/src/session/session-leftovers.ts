import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** How the names end of files that are being written, of locks that are being taken, and of sessions that are being made or deleted. */
const LEFTOVER = /[.-][\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.tmp)?$/;

/** Milliseconds after which nobody can still be at work on it. */
const OLD = 60_000;

/** The paths of what crashes left in a folder of which nobody but the agent names the files. Throws what the file system says. */
export const leftovers = (folder: string, now: number): readonly string[] => leftoversIn(folder, { now, prefix: "" });

/** The same of `sessions/`, where users give names: those never begin with a dot. */
export const leftoverSessions = (folder: string, now: number): readonly string[] =>
  leftoversIn(folder, { now, prefix: "." });

const leftoversIn = (folder: string, { now, prefix }: { readonly now: number; readonly prefix: string }): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && LEFTOVER.test(name))
    .map((name) => join(folder, name))
    .filter((path) => now - changeTime(path) > OLD);

/** Removes them. Throws what the file system says. */
export function removeLeftovers(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

/** Of one that has gone meanwhile: now. */
const changeTime = (path: string): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
