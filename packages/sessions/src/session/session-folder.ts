import { lstatSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { dataLayout, ifExists } from "@mdx-ai/base";
import { checkPaths, refuseLinks } from "@mdx-ai/base/disk";
import { type FileLock, LockHeldError, lockHolder, processText, takeLock } from "@mdx-ai/base/locks";
import { asJournalError, JournalError } from "../journal/journal.ts";

/** There is no session of this id. */
export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";

  constructor(id: string) {
    super(`there is no session ${JSON.stringify(id)}; mdx-ai sessions DIR lists the existing ones`);
  }
}

/** The new id of a session is already in use. */
export class SessionExistsError extends Error {
  override readonly name = "SessionExistsError";

  constructor(id: string) {
    super(`session ${JSON.stringify(id)} already exists; choose another name`);
  }
}

/** `sessions/` of a data directory, which need not exist. Throws `JournalError` if it is not a folder or is a symbolic link. */
export function sessionsFolder(dataDir: string): string {
  const folder = dataLayout(dataDir).sessions;
  asJournalError(() => checkPaths({ folders: [folder], files: [] }));
  return folder;
}

/** An entry of `sessions/`. */
interface SessionEntry {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** The entries of `sessions/`; none if it does not exist. Names that begin with a dot are not sessions. */
export const sessionEntries = (folder: string): readonly SessionEntry[] =>
  (ifExists(() => readdirSync(folder, { withFileTypes: true })) ?? []).filter(({ name }) => !name.startsWith("."));

/** The names of the folders in `sessions/`, including invalid session ids. */
export const sessionNames = (folder: string): readonly string[] =>
  sessionEntries(folder).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

/**
 * Checks the folder of a session, its parent, and its files except the journals: none may be a link, or of a kind that
 * a repair cannot replace. The folder need not exist. Throws as `checkPaths` does.
 */
export function checkSessionPaths(folder: string): void {
  checkPaths({ folders: [dirname(folder), folder, join(folder, "archive")], files: [join(folder, "lock")] });
  refuseLinks([join(folder, "history.json")]);
}

/** The folder of an existing session. Throws `SessionIdError`, `UnknownSessionError`, or `JournalError` at a symbolic link. */
export function sessionFolder(dataDir: string, id: string): string {
  checkSessionId(id);
  const folder = join(sessionsFolder(dataDir), id);
  asJournalError(() => refuseLinks([folder]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UnknownSessionError(id);
  asJournalError(() => refuseLinks([join(folder, "lock")]));
  return folder;
}

/** The same; undefined if there is no such session. Throws `SessionIdError`, or `JournalError` at a symbolic link. */
export function findSessionFolder(dataDir: string, id: string): string | undefined {
  try {
    return sessionFolder(dataDir, id);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}

/** Another process has taken over the session because this one was unresponsive for a long time. */
export class LostLockError extends JournalError {
  constructor(id: string) {
    super(
      `session ${id} was taken over by another process because this one was suspended for a long time; open it again`,
    );
  }
}

/** Another process has locked the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(id: string, cause: LockHeldError) {
    super(`session ${id} is in use by ${processText(cause.holder)}`, { cause });
  }
}

/** Takes the lock of a session, as `takeLock` does. Throws `SessionInUseError`, or the file system's error. */
export function lockSession(path: string, id: string, now: number): FileLock {
  try {
    return takeLock(path, now);
  } catch (error) {
    throw error instanceof LockHeldError ? new SessionInUseError(id, error) : error;
  }
}

/** Runs `work` with the session of a folder locked. Throws as `lockSession` and `work` do. */
export function whileLocked<Result>(folder: string, now: number, work: () => Result): Result {
  const lock = lockSession(join(folder, "lock"), basename(folder), now);
  try {
    return work();
  } finally {
    lock.release();
  }
}

/** How often the lock is checked, in milliseconds. */
const INTERVAL = 200;

export interface WaitOptions {
  /** Ends the wait. */
  readonly signal: AbortSignal;
  /** Called once with the holder, such as "process 123 since 2026-04-28T10:00:00Z", unless the session is free at once. */
  readonly onHolder: (holder: string) => void;
}

/**
 * Resolves when no other process has locked a session, or `signal` fires. Another process may still lock it first.
 * Rejects with `SessionIdError`, `JournalError` at a symbolic link, or the file system's error.
 */
export async function sessionFree(dataDir: string, id: string, { signal, onHolder }: WaitOptions): Promise<void> {
  let isReported = false;
  for (let holder = sessionHolder(dataDir, id); holder !== undefined; holder = sessionHolder(dataDir, id)) {
    if (!isReported) onHolder(holder);
    isReported = true;
    await sleep(INTERVAL, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

/** The process that has locked a session, for people; undefined if there is no such process or session. */
export function sessionHolder(dataDir: string, id: string): string | undefined {
  const folder = findSessionFolder(dataDir, id);
  const holder = folder === undefined ? undefined : lockHolder(join(folder, "lock"));
  return holder && processText(holder);
}

/** A session id that cannot name a folder on every system. */
export class SessionIdError extends Error {
  override readonly name = "SessionIdError";

  constructor(id: string, reason: string) {
    super(
      `bad session id ${JSON.stringify(id.slice(0, 40))}: ${reason}; use letters, digits, ".", "_" and "-", such as "work-2"`,
    );
  }
}

const MAX_LENGTH = 128;

/** The longest name that file systems allow. */
const MAX_BYTES = 255;

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)/i;

/** Throws `SessionIdError` unless the id is a valid, unique folder name on every system. */
export function checkSessionId(id: string): void {
  const reason = idRefusal(id);
  if (reason) throw new SessionIdError(id, reason);
}

/** Why a text cannot be the id of a session, or the name of a user; undefined if it can. */
export function idRefusal(id: string): string | undefined {
  if (id === "") return "it is empty";
  if (id.length > MAX_LENGTH || Buffer.byteLength(id) > MAX_BYTES) return `it is longer than ${MAX_LENGTH} characters`;
  if (!/^[\p{L}\p{N}._-]+$/u.test(id)) return "it contains a character that is not portable in folder names";
  if (id.startsWith(".")) return "it starts with a dot";
  if (id.endsWith(".")) return "it ends with a dot";
  if (DEVICE.test(id)) return "Windows reserves that name for a device";
  return undefined;
}

/** The maximum length of a number in an id. */
const DIGITS = 128;

/**
 * Compares two session ids for sorting: by code units, the same on every machine, but numbers within them by value, so that
 * `2026-04-28_10` comes after `2026-04-28_9`.
 */
export const compareIds = (one: string, other: string): number =>
  compareTexts(sortKey(one), sortKey(other)) || compareTexts(one, other);

const sortKey = (id: string): string => id.replace(/\d+/g, (digits) => digits.padStart(DIGITS, "0"));

/** Compares two texts by code units, the same on every machine. */
export const compareTexts = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
