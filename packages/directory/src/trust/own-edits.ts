import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { isWithin, requireSteady, requireUnshared, SharedFileError } from "@mdx-ai/runtime/files";
import type { Manifest } from "../manifest/manifest.ts";
import { trustedFiles } from "./trusted-directory.ts";

/** Folders in which a new file defines the agent. */
const DEFINING_FOLDERS: readonly string[] = ["modules", "tools", "skills"];

/**
 * Checks that all edits of a directory, given by its real path, are those of its user: throws `SharedFileError` if others can
 * write to it, to a file or folder that defines the agent, or to a folder above in a way that replaces it.
 */
export function requireOwnEdits(directory: string, manifest: Manifest): void {
  const outside = manifest.files.map(({ path }) => path).filter((path) => path.startsWith("../"));
  const files = [...DEFINING_FOLDERS, ...trustedFiles(manifest), ...outside].map((path) => join(directory, path));
  const within = new Set([directory, ...files.flatMap((file) => [file, ...foldersOf(file, directory)])]);
  for (const path of within) check(path, requireUnshared);
  for (const folder of foldersAbove(directory)) check(folder, requireSteady);
}

/** Whether all edits of a directory are those of its user. */
export function hasOwnEdits(directory: string, manifest: Manifest): boolean {
  try {
    requireOwnEdits(directory, manifest);
    return true;
  } catch (error) {
    if (error instanceof SharedFileError) return false;
    throw error;
  }
}

/** The folders from that of a file up to a directory; that of the file alone if it is elsewhere. */
function foldersOf(file: string, directory: string): readonly string[] {
  const folder = dirname(file);
  if (!isWithin(directory, folder) || folder === directory) return [folder];
  return [folder, ...foldersOf(folder, directory)];
}

function foldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path ? [] : [folder, ...foldersAbove(folder)];
}

/** What does not exist is made in a folder that is checked. A link is followed. */
function check(path: string, require: typeof requireSteady): void {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined) require(path, stats);
}
