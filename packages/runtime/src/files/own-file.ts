import type { Stats } from "node:fs";
import { shellWord } from "./shell-word.ts";

const OTHERS_MAY_WRITE = 0o022;

/** A file that decides for its user may have been written by others. The message says what to do. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

/** Throws `SharedFileError` if others than this user may have written a file, or can. Systems without users have no others. */
export function requireOwn(path: string, { uid, mode }: Pick<Stats, "uid" | "mode">): void {
  const user = process.getuid?.();
  if (user === undefined) return;
  const fix = (command: string): string => `check what is in it, then run: ${command} ${shellWord(path)}`;
  if (uid !== user) throw new SharedFileError(`${path} belongs to another user; ${fix(`chown ${user}`)}`);
  if ((mode & OTHERS_MAY_WRITE) !== 0)
    throw new SharedFileError(`${path} can be written by others; ${fix("chmod go-w")}`);
}
