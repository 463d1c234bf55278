import { lstatSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { dataLayout, sha256 } from "@mdx-ai/base";
import { refuseLinks, timeName } from "@mdx-ai/base/disk";

/** The maximum bytes of an id in a file name, besides a time and an extension. */
const MAX_BYTES = 200;
const KEPT_CHARACTERS = 40;

/**
 * The name of a session's log in `logs/`, such as `main.jsonl`; with a time (milliseconds since 1970), the name of a log that was
 * archived then, such as `main@2026-11-21T09-00-00.000Z.jsonl`. It is unique to the session: an id contains neither "@" nor "~".
 */
export function sessionLogName(session: string, setAside?: number): string {
  const time = setAside === undefined ? "" : `@${timeName(setAside)}`;
  return `${stem(session)}${time}.jsonl`;
}

/** Shortens an id that is too long for a file name, with a hash to keep it unique. */
function stem(session: string): string {
  if (Buffer.byteLength(session) <= MAX_BYTES) return session;
  const print = sha256(session).slice(0, 16);
  return `${Array.from(session).slice(0, KEPT_CHARACTERS).join("")}~${print}`;
}

/** The rest of a log's name after the session's part; undefined for any other file. */
function logEnding(session: string, name: string): string | undefined {
  const ending = name.startsWith(stem(session)) ? name.slice(stem(session).length) : "";
  return /^(@[\dTZ.-]+)?\.jsonl$/.test(ending) ? ending : undefined;
}

/** Whether a file is named like a current or archived session log. */
export const isSessionLogName = (name: string): boolean =>
  /^[\p{L}\p{N}_-][\p{L}\p{N}._~-]*(@\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z)?\.jsonl$/u.test(name);

/** Renames the logs of a session, unless the new name has logs. Throws the file system's error. */
export function renameSessionLogs(dataDir: string, from: string, to: string): void {
  for (const { path, ending } of sessionLogs(dataDir, from)) {
    const target = join(dataLayout(dataDir).logs, stem(to) + ending);
    if (!lstatSync(target, { throwIfNoEntry: false })) renameSync(path, target);
  }
}

/** Removes the logs of a session. Throws the file system's error. */
export function deleteSessionLogs(dataDir: string, session: string): void {
  for (const { path } of sessionLogs(dataDir, session)) rmSync(path, { force: true });
}

interface LogFile {
  /** Absolute. */
  readonly path: string;
  readonly ending: string;
}

function sessionLogs(dataDir: string, session: string): readonly LogFile[] {
  const folder = dataLayout(dataDir).logs;
  refuseLinks([folder]);
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => {
    const ending = logEnding(session, name);
    return ending === undefined ? [] : [{ path: join(folder, name), ending }];
  });
}
