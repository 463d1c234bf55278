import { lstatSync, mkdirSync, openSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "@mdx-ai/base";
import { makeTemporaryFolder } from "@mdx-ai/base/disk";

/** The folder that all sandboxes of a user share on this machine. Its path is fixed, so that all find it. */
const sharedPath = (): string => `/tmp/mdx-ai-${process.getuid?.() ?? 0}`;

/** The shared folder belongs to another user. */
class ForeignFolderError extends Error {
  override readonly name = "ForeignFolderError";
}

/**
 * The folder that all sandboxes of the user share. Only the user can access it; sandboxes cannot. If another user owns the path,
 * a new folder that is not shared. Throws `TemporaryFolderError`.
 */
export function runFolder(): string {
  const shared = sharedPath();
  if (isOwn(shared)) return shared;
  return makeTemporaryFolder("mdx-ai-");
}

/** The folder that all sandboxes of the user share, if there is one. Never throws. */
export function sharedFolder(): string | undefined {
  const shared = sharedPath();
  return lstatSync(shared, { throwIfNoEntry: false }) && isOwn(shared) ? shared : undefined;
}

/** Creates the folder again if a cleaner of temporary files removed it. Throws `ForeignFolderError`. */
export function keepFolder(folder: string): void {
  if (!isOwn(folder)) throw new ForeignFolderError(`${folder} is not, or not only, the user's own`);
}

/** An empty file, which replaces hidden files. */
export function emptyFile(folder: string): string {
  const path = join(folder, "empty");
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== 0) writeFileSync(path, "", { mode: 0o400 });
  return path;
}

/** An open file with this content and without a name. Not a pipe, which could be too small. Throws the file system's error. */
export function unnamedFile(folder: string, content: string | Uint8Array): number {
  const path = join(folder, `${process.pid}-${crypto.randomUUID()}.tmp`);
  writeFileSync(path, content, { flag: "wx", mode: 0o600 });
  try {
    return openSync(path, "r");
  } finally {
    rmSync(path);
  }
}

function isOwn(path: string): boolean {
  const stats = attempt(() => {
    if (!lstatSync(path, { throwIfNoEntry: false })) mkdirSync(path, { mode: 0o700 });
    return lstatSync(path);
  });
  if (!stats?.isDirectory()) return false;
  return stats.uid === (process.getuid?.() ?? 0) && (stats.mode & 0o077) === 0;
}
