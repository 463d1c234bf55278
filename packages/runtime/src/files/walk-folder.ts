import { accessSync, constants, type Dirent, lstatSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../attempt.ts";
import { FolderListings, type ListFolder } from "./folder-listings.ts";

export interface WalkOptions {
  readonly mostFolders?: number;
  readonly list?: ListFolder;
}

/** A walk reads so many folders. */
const MOST_FOLDERS = 20_000;

/** A walk that has visited so many entries reads no further folder. */
const MOST_ENTRIES = 1_000_000;

/** What the kernel makes up: no files of anybody. */
const UNREAL: readonly string[] = ["/proc", "/sys", "/dev"];

/**
 * Visits what is in a folder and, where `visit` returns true for a folder, what is in that; what is nearest comes first. Links are
 * visited, not followed. Returns the folders that it did not read: there were too many, or they cannot be listed although this
 * user reaches their files. Never throws, unless `visit` does.
 */
export function walkFolder(
  folder: string,
  visit: (path: string, entry: Dirent) => boolean,
  { mostFolders = MOST_FOLDERS, list = new FolderListings().look() }: WalkOptions = {},
): readonly string[] {
  const folders = [folder];
  const unlisted: string[] = [];
  let entries = 0;
  for (const [index, next] of folders.entries()) {
    if (index >= mostFolders || entries >= MOST_ENTRIES) return [...unlisted, ...folders.slice(index)];
    const found = list(next);
    if (found === undefined && isReached(next)) unlisted.push(next);
    for (const entry of found ?? []) {
      entries += 1;
      const path = join(next, entry.name);
      if (!UNREAL.includes(path) && visit(path, entry) && entry.isDirectory()) folders.push(path);
    }
  }
  return unlisted;
}

/** Whether this user can open files of a folder by their names, or allow that to itself. */
function isReached(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return false;
  return stats.uid === process.getuid?.() || attempt(() => accessSync(folder, constants.X_OK) ?? true) === true;
}
