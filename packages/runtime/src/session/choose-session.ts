import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { localTime } from "../log/line-text.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";
import { sessionNames, sessionsFolder } from "./session-folder.ts";
import { claimId } from "./used-ids.ts";

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
    if (isMade(join(sessions, id))) return id;
  }
}

/** False if something else has the name: a file, or a session that another process has just made by that name. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** The session that was used last; undefined if there is none. Throws as `newSession` does. */
export function lastSession(dataDir: string): string | undefined {
  const sessions = sessionsFolder(dataDir);
  const used = sessionNames(sessions).map((id) => ({ id, at: lastUse(join(sessions, id)) }));
  return used.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at)[0]?.id;
}

/** The time of a session's last journal line, in milliseconds since 1970; 0 if it has no journal. */
const lastUse = (session: string): number =>
  lstatSync(join(session, LIVE_JOURNAL), { throwIfNoEntry: false })?.mtimeMs ?? 0;
