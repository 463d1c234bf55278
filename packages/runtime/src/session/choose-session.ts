import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { localTime } from "../log/local-time.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";
import { sessionEntries, sessionsFolder } from "./session-folder.ts";

/**
 * Makes the folder of a new session and gives its id: the local day of `now` (milliseconds since 1970) and a number that
 * the day has not had, such as `2026-04-28_2`. Of several processes each gets one of its own. Throws what the file system
 * says, and `JournalError` where `sessions/` is a symbolic link.
 */
export function newSession(dataDir: string, now: number): string {
  const sessions = sessionsFolder(dataDir);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const day = localTime(now).slice(0, 10);
  for (let number = highest(sessions, day) + 1; ; number++) {
    const id = `${day}_${number}`;
    if (isMade(join(sessions, id))) return id;
  }
}

/** The session that was used last; undefined where there is none. Throws as `newSession` does. */
export function lastSession(dataDir: string): string | undefined {
  const sessions = sessionsFolder(dataDir);
  const used = folders(sessions).map((id) => ({ id, at: lastUse(join(sessions, id)) }));
  return used.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at)[0]?.id;
}

/** The highest number that a day's sessions have; 0 where it has none. */
function highest(sessions: string, day: string): number {
  const numbers = folders(sessions).flatMap((id) => (id.startsWith(`${day}_`) ? Number(id.slice(day.length + 1)) : []));
  return Math.max(0, ...numbers.filter((number) => Number.isSafeInteger(number)));
}

const folders = (sessions: string): readonly string[] =>
  sessionEntries(sessions).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** When a session's journal was last written, in milliseconds since 1970; 0 where it has none. */
const lastUse = (session: string): number =>
  lstatSync(join(session, LIVE_JOURNAL), { throwIfNoEntry: false })?.mtimeMs ?? 0;
