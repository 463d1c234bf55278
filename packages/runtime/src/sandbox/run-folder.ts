import { lstatSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The prefix of the folder that all sandboxes of a user share on this machine. Fixed, since all must find the same folder. */
const SHARED = "/tmp/mdx-ai-";

/** The folder that the sandboxes of the user share belongs to another user. */
class ForeignFolderError extends Error {
  override readonly name = "ForeignFolderError";
}

/**
 * The folder that all sandboxes of the user share; only the user can access it, and no sandbox can. If another user owns that
 * path, a new folder that is not shared. Throws the file system's error.
 */
export function runFolder(): string {
  const shared = `${SHARED}${process.getuid?.() ?? 0}`;
  if (isOwn(shared)) return shared;
  return mkdtempSync(join(tmpdir(), "mdx-ai-"));
}

/** Creates the folder again if a cleaner of temporary files removed it. Throws `ForeignFolderError`. */
export function keepFolder(folder: string): void {
  if (!isOwn(folder)) throw new ForeignFolderError(`${folder} is not, or not only, the user's own`);
}

/** An empty file, which replaces hidden ones. */
export function emptyFile(folder: string): string {
  const path = join(folder, "empty");
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== 0) writeFileSync(path, "", { mode: 0o400 });
  return path;
}

function isOwn(path: string): boolean {
  const user = process.getuid?.() ?? 0;
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === user && (stats.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
