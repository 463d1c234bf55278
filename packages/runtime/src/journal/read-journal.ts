import { existsSync, fstatSync } from "node:fs";
import { failureText } from "../files/error-code.ts";
import { readLines } from "../files/read-lines.ts";
import { readOpened } from "../files/read-whole-file.ts";
import { JournalError } from "./journal-error.ts";
import { JournalParser, type ParsedJournal } from "./parse-journal.ts";

/** What a journal holds, for a reader that changes nothing. */
export interface SeenJournal extends ParsedJournal {
  /** Whether its last line is unfinished: it is just being written, or a crash cut it off. */
  readonly isTorn: boolean;
  /** The length of the whole lines, in bytes. */
  readonly end: number;
}

/**
 * Reads the whole lines of a journal and changes nothing: reports the lines that cannot be read, and skips an unfinished last
 * one. A missing file is an empty journal. Throws `JournalError` if the file cannot be read, or is of a newer version.
 */
export function lookAtJournal(path: string): SeenJournal {
  if (!existsSync(path)) return { lines: [], unreadable: [], gaps: [], isTorn: false, end: 0 };
  const parser = new JournalParser(path);
  try {
    // Line by line: a journal may be long, and only a part of it is kept in memory.
    return readOpened(path, (descriptor) => {
      const end = readLines(descriptor, (line) => parser.add(line));
      return { ...parser.journal, end, isTorn: fstatSync(descriptor).size > end };
    });
  } catch (cause) {
    if (cause instanceof JournalError) throw cause;
    throw new JournalError(`cannot read ${path}: ${failureText(cause)}`, { cause });
  }
}
