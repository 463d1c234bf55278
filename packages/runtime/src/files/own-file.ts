import type { Stats } from "node:fs";
import { shellWord } from "./shell-word.ts";

const OTHERS_MAY_WRITE = 0o022;
/** Of a folder: only owners rename and remove what is in it. */
const STICKY = 0o1000;
const ROOT = 0;

/** A file or folder that decides for its user may have been written by others. The message says what to do. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

type Ownership = Pick<Stats, "uid" | "mode">;

/** Throws `SharedFileError` if others than this user may have written a file, or can. On systems without users, nobody else can. */
export function requireOwn(path: string, { uid, mode }: Ownership): void {
  requireOwner(path, uid, [process.getuid?.()]);
  requireClosed(path, mode);
}

/** The same for what the superuser may own, too. */
export function requireUnshared(path: string, { uid, mode }: Ownership): void {
  requireOwner(path, uid, [process.getuid?.(), ROOT]);
  requireClosed(path, mode);
}

/** The same for a folder on the way to the checked file: others may add to it if they cannot replace what others own. */
export function requireSteady(path: string, { uid, mode }: Ownership): void {
  requireOwner(path, uid, [process.getuid?.(), ROOT]);
  if ((mode & STICKY) === 0) requireClosed(path, mode);
}

function requireOwner(path: string, uid: number, owners: readonly (number | undefined)[]): void {
  const [user] = owners;
  if (user === undefined || owners.includes(uid)) return;
  throw new SharedFileError(`${path} belongs to another user; ${fixText(`chown ${user}`, path)}`);
}

function requireClosed(path: string, mode: number): void {
  if (process.getuid === undefined || (mode & OTHERS_MAY_WRITE) === 0) return;
  throw new SharedFileError(`${path} can be written by others; ${fixText("chmod go-w", path)}`);
}

const fixText = (command: string, path: string): string =>
  `check what is in it, then run: ${command} ${shellWord(path)}`;
