import { readdirSync } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../error-message.ts";
import { refuseLinks } from "../files/check-paths.ts";
import { errorCode } from "../files/error-code.ts";
import { fileIdentity } from "../files/file-identity.ts";
import { JournalError } from "../journal/journal-error.ts";

/** The journal that is written; older ones have a number. */
export const LIVE_JOURNAL = "journal.jsonl";

/** The name of an older journal; the oldest has the number 1. */
export const olderJournal = (number: number): string => `journal-${String(number).padStart(4, "0")}.jsonl`;

/** The number of an older journal; undefined for any other name. */
export function olderJournalNumber(name: string): number | undefined {
  const [, number] = /^journal-(\d{4,15})\.jsonl$/.exec(name) ?? [];
  return number === undefined ? undefined : Number(number);
}

/**
 * The journals of a session's folder that are there, the oldest first and the one that is written last. Two names of one
 * file, as they stand for a moment while it rolls over, are one journal, by the name that is written. Throws `JournalError`
 * at a symbolic link, or where the folder cannot be read.
 */
export function journalPaths(folder: string): readonly string[] {
  const older = namesIn(folder)
    .flatMap((name) => {
      const number = olderJournalNumber(name);
      return number === undefined ? [] : [{ number, path: join(folder, name) }];
    })
    .sort((one, other) => one.number - other.number);
  const files = new Map<string, string>();
  for (const path of [...older.map((one) => one.path), join(folder, LIVE_JOURNAL)]) {
    const identity = identityOf(path);
    if (identity !== undefined) files.set(identity, path);
  }
  return [...files.values()];
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (errorCode(cause) === "ENOENT") return [];
    throw new JournalError(`cannot read ${folder}: ${errorMessage(cause)}`, { cause });
  }
}

/** As `fileIdentity`. Throws `JournalError`, also at a symbolic link. */
function identityOf(path: string): string | undefined {
  try {
    refuseLinks([path]);
    return fileIdentity(path);
  } catch (cause) {
    throw new JournalError(errorMessage(cause), { cause });
  }
}
