import { statSync } from "node:fs";
import { join } from "node:path";
import { foldersFrom } from "@mdx-ai/parser/is-within";
import { attempt } from "../../attempt.ts";
import { pauses } from "../../pauses.ts";
import { rulePaths } from "./ignore-rules.ts";
import { walkFiles } from "./walk-files.ts";

/** Milliseconds for which the search may hold this thread. */
const SLICE = 5;

/**
 * Whether a file of rules in a folder, or above it, is a pipe, a device or a socket: ripgrep waits until somebody writes to such a pipe,
 * and reads a device without an end. Absolute. Never throws.
 */
export const hasSpecialRules = (folder: string): boolean => foldersFrom(folder).some(isSpecial);

/** The same for the folders below a folder in which ripgrep searches. Rejects as `walkFiles` does. */
export async function hasSpecialRulesBelow(root: string, signal: AbortSignal): Promise<boolean> {
  const { entries } = await walkFiles({ root, signal });
  const pause = pauses(SLICE, () => signal.throwIfAborted());
  for (const { path, isFolder } of entries) {
    if (isFolder && isSpecial(join(root, path))) return true;
    await pause();
  }
  return false;
}

const isSpecial = (folder: string): boolean =>
  rulePaths(folder).some((path) => {
    const stats = attempt(() => statSync(path, { throwIfNoEntry: false }));
    return stats !== undefined && !stats.isFile() && !stats.isDirectory();
  });
