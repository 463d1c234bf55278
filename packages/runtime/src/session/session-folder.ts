import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { checkPaths, refuseLinks } from "../files/check-paths.ts";
import { errorCode } from "../files/error-code.ts";
import { JournalError } from "../journal/journal-error.ts";
import { dataLayout } from "../layout.ts";
import { LIVE_JOURNAL } from "./journal-paths.ts";
import { checkSessionId } from "./session-id.ts";
import { UnknownSessionError } from "./unknown-session-error.ts";

/** `sessions/` of a data directory, which need not be there. Throws `JournalError` where it is no folder, or a symbolic link. */
export function sessionsFolder(dataDir: string): string {
  const folder = dataLayout(dataDir).sessions;
  own(() => checkPaths({ folders: [folder], files: [] }));
  return folder;
}

/** Something that stands in `sessions/`. */
interface SessionEntry {
  readonly name: string;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

/** What stands in `sessions/`; none where it is not there. What is about to be deleted begins with a dot, and is none any more. */
export function sessionEntries(folder: string): readonly SessionEntry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The folder of a session that is there. Throws `SessionIdError`, `UnknownSessionError`, or `JournalError` at a symbolic link. */
export function sessionFolder(dataDir: string, id: string): string {
  checkSessionId(id);
  const folder = join(sessionsFolder(dataDir), id);
  own(() => refuseLinks([folder]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UnknownSessionError(id);
  own(() => refuseLinks([join(folder, "lock")]));
  return folder;
}

/** The journal of a session's folder, which need not be there. Throws `JournalError` where it is a symbolic link. */
export function journalPath(folder: string): string {
  const path = join(folder, LIVE_JOURNAL);
  own(() => refuseLinks([path]));
  return path;
}

function own(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new JournalError(errorMessage(cause), { cause });
  }
}
