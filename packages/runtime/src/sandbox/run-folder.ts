import { lstatSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where the sandboxes of a user on this machine know of each other. Fixed, since all must find the same. */
const SHARED = "/tmp/mdx-ai-";

/**
 * The folder, the user's alone and out of reach of every sandbox, that all sandboxes of the user have in common. Where
 * somebody else sits in its place, one that is not shared. Throws what the file system says.
 */
export function runFolder(): string {
  const user = process.getuid?.() ?? 0;
  const shared = `${SHARED}${user}`;
  if (isOwn(shared, user)) return shared;
  return mkdtempSync(join(tmpdir(), "mdx-ai-"));
}

/** A file without anything in it, to stand in for one that is hidden. */
export function emptyFile(folder: string): string {
  const path = join(folder, "empty");
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== 0) writeFileSync(path, "", { mode: 0o400 });
  return path;
}

function isOwn(path: string, user: number): boolean {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
    const stats = lstatSync(path);
    return stats.isDirectory() && stats.uid === user && (stats.mode & 0o077) === 0;
  } catch {
    return false;
  }
}
