import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { checkPaths, refuseLinks } from "../files/check-paths.ts";
import { errorCode } from "../files/error-code.ts";
import { JournalError } from "../journal/journal-error.ts";
import { dataLayout } from "../layout.ts";
import { checkSessionId } from "./session-id.ts";

/** There is no session of this id. */
export class UnknownSessionError extends Error {
  override readonly name = "UnknownSessionError";

  constructor(id: string) {
    super(`there is no session ${JSON.stringify(id)}; mdx-ai sessions DIR lists those that are there`);
  }
}

/** `sessions/` of a data directory, which need not exist. Throws `JournalError` if it is no folder, or a symbolic link. */
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

/** The entries of `sessions/`, none if it does not exist. Names that begin with a dot are no sessions. */
export function sessionEntries(folder: string): readonly SessionEntry[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !name.startsWith("."));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** The names of the folders in `sessions/`, some of which may be no session id. */
export const sessionNames = (folder: string): readonly string[] =>
  sessionEntries(folder).flatMap((entry) => (entry.isDirectory() ? entry.name : []));

/** The folder of an existing session. Throws `SessionIdError`, `UnknownSessionError`, or `JournalError` at a symbolic link. */
export function sessionFolder(dataDir: string, id: string): string {
  checkSessionId(id);
  const folder = join(sessionsFolder(dataDir), id);
  asJournalError(() => refuseLinks([folder]));
  if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new UnknownSessionError(id);
  asJournalError(() => refuseLinks([join(folder, "lock")]));
  return folder;
}

function asJournalError(check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new JournalError(errorMessage(cause), { cause });
  }
}
