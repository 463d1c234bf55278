import { accessSync, constants, type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { FolderListings, type ListFolder } from "./folder-listings.ts";

export interface WalkOptions {
  readonly mostFolders?: number;
  readonly list?: ListFolder;
}

/** The most folders that a walk reads. */
const MAX_FOLDERS = 20_000;

/** A walk that has visited this many entries reads no further folder. */
const MAX_ENTRIES = 1_000_000;

/** The longest path of a folder in bytes. The kernel accepts no longer paths, although files below could be opened step by step. */
const MAX_PATH = 3_800;

/** The deepest folder that is read. Closing a deeper one needs a mount for each folder above it, which takes seconds. */
const DEEPEST = 100;

/** Virtual file systems of the kernel, which contain no files of users. */
const UNREAL: readonly string[] = ["/proc", "/sys", "/dev"];

/**
 * Visits the entries of a folder, nearest first, and of each folder for which `visit` returns true. Links are visited, not
 * followed. Returns the folders that it did not read completely: there were too many, they cannot be listed although this user
 * can open their files, or their content is too deep or has too long a path. Never throws, unless `visit` does.
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

/** Whether this user can open files of a folder by name, or grant itself that permission. */
function isReached(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  return stats.uid === process.getuid?.() || attempt(() => accessSync(folder, constants.X_OK) ?? true) === true;
}
