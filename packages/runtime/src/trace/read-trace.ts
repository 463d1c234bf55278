import { join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { errorCode } from "../files/error-code.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { JournalError } from "../journal/journal-error.ts";
import { isJournalLine, type JournalLine } from "../journal/journal-line.ts";
import { checkSessionId } from "../session/session-id.ts";
import type { JournalText } from "./session-trace.ts";
import type { Trace } from "./trace.ts";

/**
 * Reads what went on in a session of an agent directory, also while another process uses it: takes no lock and changes no
 * file. A line that is being written, or that a crash cut off, is passed over; damaged ones are named in the trace.
 * Resolves to undefined where the session has no journal. Rejects with `SessionIdError` or `JournalError`.
 */
export async function readTrace(agentDirectory: string, session: string): Promise<Trace | undefined> {
  checkSessionId(session);
  const text = readText(join(agentDirectory, "sessions", session, "journal.jsonl"));
  if (text === undefined) return undefined;
  // Whoever runs an agent needs it not.
  const { sessionTrace } = await import("./session-trace.ts");
  return sessionTrace(session, journalText(text));
}

function readText(path: string): string | undefined {
  try {
    const bytes = readWholeFile(path);
    return bytes.toString("utf8", 0, bytes.lastIndexOf(0x0a) + 1);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return undefined;
    throw new JournalError(`cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function journalText(text: string): JournalText {
  const lines: JournalLine[] = [];
  const unreadableLines: number[] = [];
  for (let start = 0, number = 1; start < text.length; number++) {
    const end = text.indexOf("\n", start);
    const value = parsed(text.slice(start, end));
    if (isJournalLine(value)) lines.push(value);
    else unreadableLines.push(number);
    start = end + 1;
  }
  return { lines, unreadableLines };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
