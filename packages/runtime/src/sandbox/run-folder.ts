import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { attempt, errorCode } from "@mdx-ai/base";

/** The folder that all sandboxes of a user share on this machine. Fixed, since all must find the same one. */
const sharedPath = (): string => `/tmp/mdx-ai-${process.getuid?.() ?? 0}`;

/** The folder that the sandboxes of the user share belongs to another user. */
class ForeignFolderError extends Error {
  override readonly name = "ForeignFolderError";
}

/**
 * The folder that all sandboxes of the user share; only the user can access it, and no sandbox can. If another user owns that
 * path, a new folder that is not shared. Throws the file system's error.
 */
export function runFolder(): string {
  const shared = sharedPath();
  if (isOwn(shared)) return shared;
  return mkdtempSync(join(tmpdir(), "mdx-ai-"));
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

/** An empty file, which replaces hidden ones. */
export function emptyFile(folder: string): string {
  const path = join(folder, "empty");
  if (lstatSync(path, { throwIfNoEntry: false })?.size !== 0) writeFileSync(path, "", { mode: 0o400 });
  return path;
}

/** An open file with this content and without a name. A pipe could be too small for it. Throws the file system's error. */
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

/** Milliseconds after which the holder of a lock must have died: a lock is held for less than one. */
const STALE = 3_000;

/**
 * Runs some short work while no other process does so under the same lock. Throws what the work throws.
 *
 * The lock is a folder that holds one file, named after its holder. A folder gets its name by a rename, which succeeds
 * only if there is none or an empty one; and a lock is freed by the removal of that one file. So nobody can free a lock
 * that another process holds. `CLEAN_UP` in absent-paths.ts takes the same lock from a shell.
 */
export function underLock<Result>(path: string, work: () => Result): Result {
  const holder = `${process.pid}-${crypto.randomUUID()}`;
  const draft = `${path}.${holder}`;
  mkdirSync(draft, { mode: 0o700 });
  try {
    while (!tryTake(draft, path, holder)) Bun.sleepSync(1);
    return work();
  } finally {
    release(path, holder);
    rmSync(draft, { recursive: true, force: true });
  }
}

function tryTake(draft: string, path: string, holder: string): boolean {
  try {
    // Its date says since when the lock is held.
    writeFileSync(join(draft, holder), "");
    renameSync(draft, path);
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
    releaseStale(path);
    return false;
  }
}

/** Frees a lock whose holder must have died. Never throws. */
export function releaseStale(path: string): void {
  // None if it was freed meanwhile.
  for (const holder of attempt(() => readdirSync(path)) ?? [])
    if (ageOf(join(path, holder)) > STALE) release(path, holder);
}

/** In milliseconds. A date in the future counts as past: the clock was set back since. */
function ageOf(path: string): number {
  return Math.abs(Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()));
}

/**
 * Frees a lock if this holder has it; the lock of any other holder stays. Another process may have taken the lock for stale, or
 * the free one already.
 */
function release(path: string, holder: string): void {
  attempt(() => {
    unlinkSync(join(path, holder));
    rmdirSync(path);
  });
}
