import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  lstatSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { replaceFileSync } from "@mdx-ai/runtime/files";
import { DirectoryError } from "../../directory-error.ts";
import { isWithin } from "../../places/user-directories.ts";

export interface FixedFile {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** Relative to it. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Replaces a file atomically and keeps its mode and owner. Throws `DirectoryError` ("unfixable") if it may not be written, lies outside
 * of the directory or no longer holds `before`; else the file system's error.
 */
export function writeFixedFile({ directory, file, before, after }: FixedFile): void {
  const path = realpathSync(join(directory, file));
  if (!isWithin(realpathSync(directory), path)) {
    throw new DirectoryError("unfixable", `${file} leads to ${path}, outside of the directory; fix it there`);
  }
  const stats = statSync(path);
  refuseReadOnly(path, file, stats);
  const beforeRename = (draft: string): void => {
    copyOwnerAndMode(draft, stats);
    if (readFileSync(path, "utf8") !== before)
      throw new DirectoryError("unfixable", `${file} has changed since it was read; try again`);
  };
  replaceFileSync({ path, text: after, beforeRename });
}

/** A rename replaces even a read-only file, and the superuser may write any. */
function refuseReadOnly(path: string, file: string, { mode }: Stats): void {
  if ((mode & 0o222) !== 0 && isWritable(path)) return;
  throw new DirectoryError("unfixable", `${file} is read-only; its fixes were not written`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function copyOwnerAndMode(draft: string, { uid, gid, mode }: Stats): void {
  const own = lstatSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownIfPossible(draft, uid, gid);
  chmodSync(draft, mode & 0o7777);
}

/** Only the superuser may change the owner; for others the file becomes their own, as with an editor. */
function chownIfPossible(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  }
}
