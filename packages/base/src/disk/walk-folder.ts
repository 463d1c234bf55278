import { accessSync, constants, type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { FolderListings, type ListFolder } from "./folder-listings.ts";

export interface WalkOptions {
  readonly mostFolders?: number;
  readonly list?: ListFolder;
}

/** A walk reads at most this many folders. */
const MAX_FOLDERS = 20_000;

/** A walk that has visited this many entries reads no further folder. */
const MAX_ENTRIES = 1_000_000;

/** In bytes, for a folder: files in a longer one could be opened step by step, but have no path that the kernel accepts. */
const MAX_PATH = 3_800;

/** Folders below each other that are read: closing one that is deeper needs a mount for each folder above it, which takes seconds. */
const DEEPEST = 100;

/** Virtual file systems of the kernel: they hold no user's files. */
const UNREAL: readonly string[] = ["/proc", "/sys", "/dev"];

/**
 * Visits the entries of a folder and, if `visit` returns true for a folder, those in it; the nearest come first. Links are
 * visited, not followed. Returns the folders that it did not read as a whole: there were too many, they cannot be listed although
 * this user reaches their files, or what is in them is too deep or has too long a path. Never throws, unless `visit` does.
 */
export function walkFolder(
  folder: string,
  visit: (path: string, entry: Dirent) => boolean,
  { mostFolders = MAX_FOLDERS, list = new FolderListings().look() }: WalkOptions = {},
): readonly string[] {
  const isEntered = (path: string, entry: Dirent): boolean =>
    !UNREAL.includes(path) && visit(path, entry) && entry.isDirectory();
  const folders = [folder];
  const unlisted: string[] = [];
  let entries = 0;
  for (const [index, next] of folders.entries()) {
    if (index >= mostFolders || entries >= MAX_ENTRIES) return [...unlisted, ...folders.slice(index)];
    const found = list(next);
    entries += found?.length ?? 0;
    const entered = found?.flatMap((entry) => {
      const path = join(next, entry.name);
      return isEntered(path, entry) ? path : [];
    });
    const isTooFar = (path: string): boolean => isTooLong(path) || depthOf(path) > depthOf(folder) + DEEPEST;
    if (entered?.some(isTooFar) ?? isReached(next)) unlisted.push(next);
    else for (const path of entered ?? []) folders.push(path);
  }
  return unlisted;
}

const isTooLong = (folder: string): boolean => Buffer.byteLength(folder) > MAX_PATH;

const depthOf = (path: string): number => path.split("/").length;

/** Whether this user can open files of a folder by their names, or allow that to itself. */
function isReached(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  return stats.uid === process.getuid?.() || attempt(() => accessSync(folder, constants.X_OK) ?? true) === true;
}
