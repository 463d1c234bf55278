import { chmodSync, lstatSync, readdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";

/** A defect of a session, or of the folder of all sessions. */
export interface Finding {
  /** For people. */
  readonly text: string;
  /** Whether `verify` repairs it; otherwise people must. */
  readonly isRepairable: boolean;
}

export const repairable = (text: string): Finding => ({ text, isRepairable: true });

export const broken = (text: string): Finding => ({ text, isRepairable: false });

/** How the names of drafts end: of files and locks that are being written, of sessions that are being made or deleted. */
const DRAFT = /[.-][\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.tmp)?$/;

/** Milliseconds after which no process can still be working on a draft. */
const OLD = 60_000;

export interface StaleFileOptions {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** What the names of drafts begin with in a folder whose other names users choose. */
  readonly prefix?: string;
}

/** The paths of the drafts that crashes left in a folder. Throws what the file system says. */
export const staleFiles = (folder: string, { now, prefix = "" }: StaleFileOptions): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && DRAFT.test(name))
    .map((name) => join(folder, name))
    .filter((path) => now - changeTime(path) > OLD);

/** Now, if it has gone meanwhile. */
const changeTime = (path: string): number =>
  lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;

/** Throws what the file system says. */
export function removeFiles(paths: readonly string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

const OTHERS = 0o077;

/** Whether others than its owner can read or write a file or folder. */
export const isOpenToOthers = ({ mode }: Stats): boolean => (mode & OTHERS) !== 0;

/** The files and folders, of this one and all within, that others than their owner can read or write. Throws what the file system says. */
export function openToOthers(path: string): readonly string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  // The mode of a link says nothing.
  if (stats === undefined || stats.isSymbolicLink()) return [];
  const within = stats.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return isOpenToOthers(stats) ? [path, ...within] : within;
}

/** Leaves files and folders to their owner alone. Throws what the file system says. */
export function closeToOthers(paths: readonly string[]): void {
  for (const path of paths) chmodSync(path, lstatSync(path).mode & 0o700);
}
