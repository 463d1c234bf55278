import { type Dirent, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { refuseLinks } from "../files/refuse-links.ts";

/**
 * Makes the folder of a new session and gives its id: the local day of `now` (milliseconds since 1970) and a number that
 * the day has not had, such as `2026-04-28_2`. Of several processes each gets one of its own. Throws what the file system
 * says, and where `sessions/` is a symbolic link.
 */
export function newSession(agentDir: string, now: number): string {
  const sessions = join(agentDir, "sessions");
  refuseLinks([sessions]);
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const day = localDate(now);
  for (let number = highest(sessions, day) + 1; ; number++) {
    const id = `${day}_${number}`;
    if (isMade(join(sessions, id))) return id;
  }
}

/** The session that was used last; undefined where there is none. */
export function lastSession(agentDir: string): string | undefined {
  const sessions = join(agentDir, "sessions");
  const used = folders(sessions).map((id) => ({ id, at: lastUse(join(sessions, id)) }));
  return used.filter(({ at }) => at > 0).sort((one, other) => other.at - one.at)[0]?.id;
}

/** The highest number that a day's sessions have; 0 where it has none. */
function highest(sessions: string, day: string): number {
  const numbers = folders(sessions).flatMap((id) => (id.startsWith(`${day}_`) ? Number(id.slice(day.length + 1)) : []));
  return Math.max(0, ...numbers.filter((number) => Number.isSafeInteger(number)));
}

/** What is about to be deleted begins with a dot, and is no session any more. */
function folders(sessions: string): readonly string[] {
  return entriesOf(sessions).flatMap((entry) => (entry.isDirectory() && !entry.name.startsWith(".") ? entry.name : []));
}

function entriesOf(sessions: string): readonly Dirent[] {
  try {
    return readdirSync(sessions, { withFileTypes: true });
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

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
  lstatSync(join(session, "journal.jsonl"), { throwIfNoEntry: false })?.mtimeMs ?? 0;

function localDate(now: number): string {
  const date = new Date(now);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
