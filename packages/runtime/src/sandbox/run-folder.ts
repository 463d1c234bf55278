import { lstatSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the sandboxes of a user on this machine know of each other. Fixed, since all must find the same. */
const SHARED = "/tmp/mdx-ai-";

/** Somebody else sits where the sandboxes of the user should know of each other. */
class ForeignFolderError extends Error {
  override readonly name = "ForeignFolderError";
}

/**
 * The folder, the user's alone and out of reach of every sandbox, that all sandboxes of the user have in common. Where
 * somebody else sits in its place, one that is not shared. Throws what the file system says.
 */
export function runFolder(): string {
  const shared = `${SHARED}${process.getuid?.() ?? 0}`;
  if (isOwn(shared)) return shared;
  return mkdtempSync(join(tmpdir(), "mdx-ai-"));
}

/** Makes the folder anew where a cleaner of temporary files took it away. Throws `ForeignFolderError`. */
export function keepFolder(folder: string): void {
  if (!isOwn(folder)) throw new ForeignFolderError(`${folder} is not, or not only, the user's own`);
}

/** A file without anything in it, to stand in for one that is hidden. */
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
