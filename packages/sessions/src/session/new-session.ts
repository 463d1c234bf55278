import { closeSync, constants, fdatasyncSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { unlessTaken } from "@mdx-ai/base";
import { localTime, replaceFileSync, syncFolderSync } from "@mdx-ai/base/disk";
import { checkSessionId, SessionExistsError, sessionEntries, sessionsFolder } from "./session-folder.ts";

/**
 * Creates the folder of a new session and returns its id: the local day of `now` (milliseconds since 1970) and a number, such
 * as `2026-04-28_2`. No id is reused, even after its session was deleted or renamed; concurrent processes get different
 * ids. Throws the file system's error, or `JournalError` if `sessions/` is a symbolic link.
 */
export function newSession(dataDir: string, now: number): string {
  const sessions = sessionsFolder(dataDir);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const day = localTime(now).slice(0, 10);
  for (;;) {
    const id = claimId(sessions, day);
    // The name may be taken by a file, or by a session that another process has just created.
    if (unlessTaken(() => mkdirSync(join(sessions, id), { mode: 0o700 }))) return id;
  }
}

/**
 * Creates the folder of a new session with this id. Throws `SessionIdError`, `SessionExistsError`, the file system's error, or
 * `JournalError` if `sessions/` is a symbolic link.
 */
export function makeSession(dataDir: string, id: string): void {
  checkSessionId(id);
  const sessions = sessionsFolder(dataDir);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  if (!unlessTaken(() => mkdirSync(join(sessions, id), { mode: 0o700 }))) throw new SessionExistsError(id);
}

/** A message of another program. */
export interface SaidMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
}

/**
 * Creates a new session that begins with messages of another program, and returns its id. Throws as `newSession` does.
 */
export function sessionAfter(dataDir: string, said: readonly SaidMessage[], now: number): string {
  const id = newSession(dataDir, now);
  const timestamp = new Date(now).toISOString();
  const text = JSON.stringify(said.map((message) => ({ ...message, timestamp })));
  if (said.length > 0) replaceFileSync({ path: join(sessionsFolder(dataDir), id, "history.json"), text });
  return id;
}

/** The append-only record of used ids in `sessions/`: one id per line, followed by the token of its claim. */
export const USED_IDS = ".ids";

/** Numbers with more digits are ignored. */
const NUMBERED = /^(\d{4}-\d\d-\d\d)_(\d{1,15})$/;

/**
 * Claims an id for a new session: the day, such as `2026-04-28`, and a number that no session of the day has had, even
 * a deleted one. Concurrent processes get different ids. The claim is on disk when this returns; a kill
 * only leaves an unused number. Without a readable record, only existing sessions count. Throws the
 * file system's error.
 */
function claimId(sessions: string, day: string): string {
  const used = [...sessionEntries(sessions).map(({ name }) => name), ...recordedIds(sessions)];
  for (let number = highestNumber(used, day) + 1; ; number++) {
    const id = `${day}_${number}`;
    const claim = `${id} ${crypto.randomUUID()}`;
    if (!append(sessions, claim)) return id;
    // If two processes claim an id at once, the first line wins.
    if (recordLines(sessions).find((line) => idOf(line) === id) === claim) return id;
  }
}

/** Records the id of a session before it is removed or renamed. Throws the file system's error. */
export function recordUsedId(sessions: string, id: string): void {
  if (NUMBERED.test(id) && !recordedIds(sessions).includes(id)) append(sessions, id);
}

function highestNumber(ids: readonly string[], day: string): number {
  return ids.reduce((highest, id) => {
    const [, ofDay, number] = NUMBERED.exec(id) ?? [];
    return ofDay === day ? Math.max(highest, Number(number)) : highest;
  }, 0);
}

const recordedIds = (sessions: string): readonly string[] => recordLines(sessions).map(idOf);

const idOf = (line: string): string => line.split(" ", 1)[0] ?? "";

/** Includes incomplete lines after a crash, which contain no id. */
function recordLines(sessions: string): readonly string[] {
  const path = join(sessions, USED_IDS);
  return isUsable(path) ? readFileSync(path, "utf8").split("\n") : [];
}

/** Appends a line and syncs it. Returns false if the record is not a regular file. */
function append(sessions: string, line: string): boolean {
  const path = join(sessions, USED_IDS);
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  if (!isNew && !isUsable(path)) return false;
  const descriptor = openSync(path, FLAGS, 0o600);
  try {
    // The newline first ends an incomplete line, as after a crash.
    writeSync(descriptor, `\n${line}\n`);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (isNew) syncFolderSync(sessions);
  return true;
}

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** Does not follow a link or block on a pipe. */
const isUsable = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
