import { lstatSync } from "node:fs";
import { basename, dirname } from "node:path";
import { attempt } from "@mdx-ai/base";
import { FolderListings, isFolder, walkFolder } from "@mdx-ai/base/disk";
import { GIT, plainName } from "../permissions/workspace-files.ts";
import { keptOfGit } from "./git-folders.ts";

/** What is known of the time before a command. The moments are in milliseconds since 1970. */
export interface Remembered {
  /** The command began. */
  readonly since: number;
  /** Before that, a search of the workspace began. */
  readonly searched: number;
}

/** What is known of a path. */
interface Surroundings extends Remembered {
  /** The folders around it, in the workspace. Absolute. */
  readonly folders: readonly string[];
  /** Whether a folder is not the one that was searched at its path. */
  isOther(folder: string): boolean;
}

/**
 * What a command did to a path that runs code on its own and that an earlier search did not find: another program may have created it
 * between the two. It is the command's if it changed since, or if it has not changed since the search, which would have found it: so it
 * was elsewhere, or had no meaning, until a folder around it was moved or filled. It is also the command's if a folder around it is
 * no longer the one that was searched there. Otherwise only what changed in it is the command's, as far as that matters. Never throws.
 */
export function workOfCommand(path: string, { since, searched, folders, isOther }: Surroundings): readonly string[] {
  const at = changedAt(path);
  const isMoved = folders.some((folder) => isOther(folder) && hasChanged(folder, since));
  if (isMoved || at < searched || at > since) return [path];
  return innerPaths(path).flatMap((inner) => changesIn(inner, since));
}

/** Milliseconds since 1970; 0 if it is gone. */
const changedAt = (path: string): number => attempt(() => lstatSync(path).ctimeMs) ?? 0;

const hasChanged = (path: string, since: number): boolean => changedAt(path) > since;

/** Of a repository, what git obeys; else all that is in a folder. The HEAD stands for a repository without files. */
function innerPaths(path: string): readonly string[] {
  const list = new FolderListings().look();
  if (basename(path) === "HEAD") return keptOfGit(dirname(path), dirname(path), list).paths;
  if (!isFolder(path)) return [];
  return plainName(basename(path)) === GIT ? keptOfGit(path, dirname(path), list).paths : [path];
}

function changesIn(path: string, since: number): readonly string[] {
  if (hasChanged(path, since)) return [path];
  if (!isFolder(path)) return [];
  const changed: string[] = [];
  const unsearched = walkFolder(path, (inner) => {
    if (!hasChanged(inner, since)) return true;
    changed.push(inner);
    return false;
  });
  return unsearched.length > 0 ? [path] : changed;
}
