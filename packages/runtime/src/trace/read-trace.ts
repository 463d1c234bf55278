import { basename } from "node:path";
import { errorMessage } from "../error-message.ts";
import { errorCode } from "../files/error-code.ts";
import { readLines } from "../files/read-lines.ts";
import { readOpened } from "../files/read-whole-file.ts";
import { JournalError } from "../journal/journal-error.ts";
import { isJournalLine, type JournalLine } from "../journal/journal-line.ts";
import { jsonValue } from "../json-value.ts";
import { journalPaths } from "../session/journal-paths.ts";
import { sessionFolder, UnknownSessionError } from "../session/session-folder.ts";
import type { JournalText } from "./session-trace.ts";
import type { Trace } from "./trace.ts";

/**
 * Reads what went on in a session of a data directory, also while another process uses it: takes no lock and changes no
 * file. A line that is being written, or that a crash cut off, is passed over; damaged ones are named in the trace.
 * Resolves to undefined where the session has no journal. Rejects with `SessionIdError`, or with `JournalError` where a
 * journal cannot be read or a symbolic link stands in its place.
 */
export async function readTrace(dataDir: string, session: string): Promise<Trace | undefined> {
  const folder = folderOf(dataDir, session);
  const journals = folder === undefined ? [] : readJournals(folder);
  if (journals.length === 0) return undefined;
  // Whoever runs an agent needs it not.
  const { sessionTrace } = await import("./session-trace.ts");
  return sessionTrace(session, journals);
}

function folderOf(dataDir: string, session: string): string | undefined {
  try {
    return sessionFolder(dataDir, session);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}

/** Once more where a journal rolled over meanwhile: its lines stand under another name then. */
function readJournals(folder: string): readonly JournalText[] {
  const paths = journalPaths(folder);
  const journals = paths.flatMap(readJournalText);
  const isSettled = journalPaths(folder).join("\n") === paths.join("\n");
  return isSettled ? journals : readJournals(folder);
}

/** A line of a newer version is one that cannot be read, like a damaged one. */
function readJournalText(path: string): readonly JournalText[] {
  const lines: JournalLine[] = [];
  const unreadableLines: number[] = [];
  let number = 0;
  const onLine = (line: string): void => {
    number++;
    const value = jsonValue(line);
    if (isJournalLine(value)) lines.push(value);
    else unreadableLines.push(number);
  };
  try {
    readOpened(path, (descriptor) => readLines(descriptor, onLine));
    return [{ file: basename(path), lines, unreadableLines }];
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return [];
    throw new JournalError(`cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}
