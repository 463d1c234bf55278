import { linkSync, lstatSync, mkdirSync, readFileSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { unlessTaken } from "../errors/system-error.ts";
import { shellWord } from "../text/shell-word.ts";
import { readBytes, readPrivateFile } from "./read-file.ts";
import { replaceFileSync } from "./replace-file.ts";

const OTHERS_MAY_WRITE = 0o022;
const GROUP_MAY_WRITE = 0o020;
/** The sticky bit of a folder: only owners rename and remove its entries. */
const STICKY = 0o1000;
const ROOT = 0;

/** A file or folder that decides for its user may have been written by others. The message names the fix. */
export class SharedFileError extends Error {
  override readonly name = "SharedFileError";
}

type Ownership = Pick<Stats, "uid" | "gid" | "mode">;

/**
 * Throws `SharedFileError` if a user other than this one owns a file or can write to it. On systems without users, never throws
 * that.
 */
export function requireOwn(path: string, ownership: Ownership): void {
  requireOwner(path, ownership.uid, [process.getuid?.()]);
  requireClosed([[path, ownership]]);
}

/** The same for a file that the superuser may own, too. */
export function requireUnshared(path: string, ownership: Ownership): void {
  requireAllUnshared([[path, ownership]]);
}

/** The same for several files and folders; the message names all that others can write. */
export function requireAllUnshared(paths: readonly (readonly [path: string, ownership: Ownership])[]): void {
  for (const [path, { uid }] of paths) requireOwner(path, uid, [process.getuid?.(), ROOT]);
  requireClosed(paths);
}

/** The same for a folder above the checked file: others may add to it if they cannot replace files of other owners. */
export function requireSteady(path: string, ownership: Ownership): void {
  requireOwner(path, ownership.uid, [process.getuid?.(), ROOT]);
  if ((ownership.mode & STICKY) === 0) requireClosed([[path, ownership]]);
}

function requireOwner(path: string, uid: number, owners: readonly (number | undefined)[]): void {
  const [user] = owners;
  if (user === undefined || owners.includes(uid)) return;
  throw new SharedFileError(`${path} belongs to another user; ${fixText(`chown ${user}`, path)}`);
}

function requireClosed(paths: readonly (readonly [path: string, ownership: Ownership])[]): void {
  const open = paths.filter(([, ownership]) => isOpen(ownership)).map(([path]) => path);
  if (process.getuid === undefined || open.length === 0) return;
  throw new SharedFileError(`${open.join(" and ")} can be written by others; ${fixText("chmod go-w", ...open)}`);
}

function isOpen({ gid, mode }: Ownership): boolean {
  const open = mode & OTHERS_MAY_WRITE;
  return open !== 0 && !(open === GROUP_MAY_WRITE && isGroupOfUser(gid));
}

/**
 * Whether a group is the user's own and has no other members, as on systems where each user has one; then everything that the
 * user makes may be writable for it. False for the superuser, and for users that the system's files do not list.
 */
function isGroupOfUser(gid: number): boolean {
  const user = process.getuid?.();
  if (user === undefined || user === ROOT) return false;
  return isPrivateGroup(
    { user, gid },
    ["/etc/passwd", "/etc/group"].map((file) => attempt(() => readFileSync(file, "utf8")) ?? ""),
  );
}

/** The same by the texts of the system's files `passwd` and `group`. */
export function isPrivateGroup(
  { user, gid }: { readonly user: number; readonly gid: number },
  texts: readonly string[],
): boolean {
  const [accounts = [], groups = []] = texts.map((text) => text.split("\n").map((line) => line.split(":")));
  const [account] = accounts.filter(([, , uid]) => uid === String(user));
  const [group, ...more] = groups.filter(([, , id]) => id === String(gid));
  if (account === undefined || group === undefined || more.length > 0) return false;
  const [name] = account;
  const others = accounts.filter(([other, , , id]) => id === String(gid) && other !== name);
  const members = (group[3] ?? "").split(",").filter((member) => member !== "" && member !== name);
  return account[3] === String(gid) && group[0] === name && others.length === 0 && members.length === 0;
}

const fixText = (command: string, ...paths: readonly string[]): string =>
  `check what is in ${paths.length === 1 ? "it" : "them"}, then run: ${command} ${paths.map(shellWord).join(" ")}`;

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
