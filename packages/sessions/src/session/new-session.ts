import { closeSync, constants, fdatasyncSync, lstatSync, mkdirSync, openSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { unlessTaken } from "@mdx-ai/base";
import { localTime, syncFolderSync } from "@mdx-ai/base/disk";
import { sessionEntries, sessionsFolder } from "./session-folder.ts";

/**
 * Makes the folder of a new session and returns its id: the local day of `now` (milliseconds since 1970) and a number, such
 * as `2026-04-28_2`. No id is given twice, also after its session was deleted or renamed; of several processes each gets its
 * own. Throws what the file system says, and `JournalError` if `sessions/` is a symbolic link.
 */
export function newSession(dataDir: string, now: number): string {
  const sessions = sessionsFolder(dataDir);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const day = localTime(now).slice(0, 10);
  for (;;) {
    const id = claimId(sessions, day);
    // Something else may have the name: a file, or a session that another process has just made.
    if (unlessTaken(() => mkdirSync(join(sessions, id), { mode: 0o700 }))) return id;
  }
}

/** The record in `sessions/` of the ids that were used: one to a line, followed by a token of its claim. Only appended to. */
export const USED_IDS = ".ids";

/** A number with more digits is not counted on. */
const NUMBERED = /^(\d{4}-\d\d-\d\d)_(\d{1,15})$/;

/**
 * Claims an id for a new session: the day, such as `2026-04-28`, and a number that no session of the day has had, whether
 * that still exists or not. Of several processes each gets its own. The claim is on disk when this returns; a kill
 * only leaves an unused number. Without a readable record the existing sessions alone count. Throws what the
 * file system says.
 */
function claimId(sessions: string, day: string): string {
  const used = [...sessionEntries(sessions).map(({ name }) => name), ...recordedIds(sessions)];
  for (let number = highestNumber(used, day) + 1; ; number++) {
    const id = `${day}_${number}`;
    const claim = `${id} ${crypto.randomUUID()}`;
    if (!append(sessions, claim)) return id;
    // Of two processes that claim an id at once, the one whose line comes first has it.
    if (recordLines(sessions).find((line) => idOf(line) === id) === claim) return id;
  }
}

/** Records the id of a session that is about to go, which a user may have given it. Throws what the file system says. */
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

/** Also half lines, as a crash leaves them: those hold no id. */
function recordLines(sessions: string): readonly string[] {
  const path = join(sessions, USED_IDS);
  return isUsable(path) ? readFileSync(path, "utf8").split("\n") : [];
}

/** Appends a line and syncs it. Returns false if something else has the name of the record. */
function append(sessions: string, line: string): boolean {
  const path = join(sessions, USED_IDS);
  const isNew = lstatSync(path, { throwIfNoEntry: false }) === undefined;
  if (!isNew && !isUsable(path)) return false;
  const descriptor = openSync(path, FLAGS, 0o600);
  try {
    // The newline before it ends a half line, as a crash leaves it.
    writeSync(descriptor, `\n${line}\n`);
    fdatasyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  if (isNew) syncFolderSync(sessions);
  return true;
}

const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

/** A link is not followed, and a pipe not waited for. */
const isUsable = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
