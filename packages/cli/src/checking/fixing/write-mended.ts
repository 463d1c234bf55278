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
import { isWithin } from "../../places/user-directories.ts";
import { UnfixableFileError } from "./unfixable-file-error.ts";

export interface MendedFile {
  /** The agent directory. Absolute. */
  readonly directory: string;
  /** Relative to it. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

/**
 * Replaces a file at once and as a whole, with the mode and the owner that it has. Throws `UnfixableFileError` where it may
 * not be written, lies outside of the directory or is no longer what was read, or what the file system says.
 */
export function writeMended({ directory, file, before, after }: MendedFile): void {
  const path = realpathSync(join(directory, file));
  if (!isWithin(realpathSync(directory), path)) {
    throw new UnfixableFileError(`${file} leads to ${path}, outside of the directory; mend it there`);
  }
  const stats = statSync(path);
  refuseReadOnly(path, file, stats);
  const beforeRename = (draft: string): void => {
    takeOver(draft, stats);
    if (readFileSync(path, "utf8") !== before) throw new UnfixableFileError(`${file} was changed meanwhile; try again`);
  };
  replaceFileSync({ path, text: after, beforeRename });
}

/** Renaming would replace a file that is read-only, and the superuser may write any. */
function refuseReadOnly(path: string, file: string, { mode }: Stats): void {
  if ((mode & 0o222) !== 0 && isWritable(path)) return;
  throw new UnfixableFileError(`${file} is read-only, so that its mends cannot be written; nothing was changed in it`);
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function takeOver(draft: string, { uid, gid, mode }: Stats): void {
  const own = lstatSync(draft);
  if (own.uid !== uid || own.gid !== gid) chownIfPossible(draft, uid, gid);
  chmodSync(draft, mode & 0o7777);
}

/** Only the superuser may give a file away; for others it becomes their own, as with an editor. */
function chownIfPossible(path: string, uid: number, gid: number): void {
  try {
    chownSync(path, uid, gid);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) throw error;
  }
}
