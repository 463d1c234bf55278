import { linkSync, lstatSync, mkdirSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { unlessTaken } from "../errors/system-error.ts";
import { shellWord } from "../text/shell-word.ts";
import { readBytes, readPrivateFile } from "./read-file.ts";
import { replaceFileSync } from "./replace-file.ts";

const OTHERS_MAY_WRITE = 0o022;
/** The sticky bit of a folder: only owners rename and remove its entries. */
const STICKY = 0o1000;
const ROOT = 0;

/** A file or folder that decides for its user may have been written by others. The message names the fix. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

type Ownership = Pick<Stats, "uid" | "mode">;

/**
 * Throws `SharedFileError` if a user other than this one owns a file or can write to it. On systems without users, never throws
 * that.
 */
export function requireOwn(path: string, { uid, mode }: Ownership): void {
  requireOwner(path, uid, [process.getuid?.()]);
  requireClosed(path, mode);
}

/** The same for a file that the superuser may own, too. */
export function requireUnshared(path: string, { uid, mode }: Ownership): void {
  requireOwner(path, uid, [process.getuid?.(), ROOT]);
  requireClosed(path, mode);
}

/** The same for a folder above the checked file: others may add to it if they cannot replace files of other owners. */
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

/** A secret: 32 random bytes. */
const SECRET = /^[\da-f]{64}$/;

/** The length of a secret in hexadecimal with a newline, in bytes. */
const LENGTH = 65;

/**
 * A secret of the user from its file; undefined if it is missing, incomplete or readable by others. Throws `SharedFileError` if
 * others may have written it, or as `readPrivateFile` does.
 */
export function readSecret(file: string): string | undefined {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return undefined;
  requireOwn(dirname(file), statSync(dirname(file)));
  const text = readPrivateFile(file, (descriptor, stats) => {
    requireOwn(file, stats);
    return isPrivate(stats)
      ? readBytes(descriptor, 0, LENGTH + 1)
          .toString("latin1")
          .trimEnd()
      : "";
  });
  return SECRET.test(text) ? text : undefined;
}

const isPrivate = ({ mode }: Stats): boolean => process.getuid === undefined || (mode & 0o077) === 0;

/**
 * Creates a secret that only its owner can read and that is on disk, in place of a missing or invalid one. If several processes
 * create the first one at once, all get the same. Throws as `readSecret` does.
 */
export function makeSecret(file: string): string {
  const text = `${randomSecret()}\n`;
  if (lstatSync(file, { throwIfNoEntry: false })) replaceFileSync({ path: file, text });
  else makeFileOnce(file, text);
  const secret = readSecret(file);
  if (secret === undefined) throw new SharedFileError(`${file} was removed by another process`);
  return secret;
}

/**
 * Creates a complete file that only its owner can read, and its folder. Returns false if a file of that name exists, which stays.
 * Throws the file system's error.
 */
export function makeFileOnce(file: string, text: string): boolean {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${crypto.randomUUID()}`;
  writeFileSync(draft, text, { mode: 0o600, flag: "wx", flush: true });
  try {
    return unlessTaken(() => linkSync(draft, file));
  } finally {
    rmSync(draft, { force: true });
  }
}

export const randomSecret = (): string => crypto.getRandomValues(new Uint8Array(32)).toHex();
