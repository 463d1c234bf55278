import { findSessionFolder, sessionHolder } from "../session/session-folder.ts";
import { journalPaths, readJournals, requireJournal } from "../session/session-journals.ts";
import type { Trace } from "./trace.ts";

/**
 * Reads the trace of a session of a data directory, even while another process uses it: takes no lock and changes no
 * file. Leaves out an unfinished last line; the trace lists damaged lines. Resolves to undefined
 * if the session has no journal. Rejects with `SessionIdError`, or with `JournalError` if a journal is lost, cannot be read,
 * is of a newer version, or a symbolic link has its name.
 */
export async function readTrace(dataDir: string, session: string): Promise<Trace | undefined> {
  const folder = findSessionFolder(dataDir, session);
  if (folder === undefined) return undefined;
  requireJournal(folder);
  if (journalPaths(folder).length === 0) return undefined;
  // Loaded lazily: running an agent does not need it.
  const { sessionTrace } = await import("./session-trace.ts");
  return sessionTrace(session, readJournals(folder), () => sessionHolder(dataDir, session));
}
