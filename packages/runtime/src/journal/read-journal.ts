import { existsSync, truncateSync, writeFileSync } from "node:fs";
import { errorMessage } from "../error-message.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { JournalError } from "./journal-error.ts";
import { isJournalLine, type JournalLine } from "./journal-line.ts";

/** What a journal held. */
export interface JournalContents {
  readonly lines: readonly JournalLine[];
  /** Where an unfinished last line was kept aside; absent where there was none. */
  readonly tornLine?: string;
}

/**
 * Reads a journal whole; a missing file is an empty journal. An unfinished last line, as a crash leaves it, is cut off
 * and kept aside. Throws `JournalError` for any other damage.
 */
export function readJournal(path: string): JournalContents {
  if (!existsSync(path)) return { lines: [] };
  const bytes = readBytes(path);
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = parseLines(path, bytes.toString("utf8", 0, end));
  return end === bytes.length ? { lines } : { lines, tornLine: setAside(path, bytes, end) };
}

/**
 * The whole lines of a journal, for somebody who only looks: changes nothing and passes over an unfinished last line, which
 * another process may just be writing. A missing file is an empty journal. Throws `JournalError`.
 */
export function lookAtJournal(path: string): readonly JournalLine[] {
  if (!existsSync(path)) return [];
  const bytes = readBytes(path);
  return parseLines(path, bytes.toString("utf8", 0, bytes.lastIndexOf(0x0a) + 1));
}

function readBytes(path: string): Buffer {
  try {
    return readWholeFile(path);
  } catch (cause) {
    throw new JournalError(`cannot read ${path}: ${errorMessage(cause)}`, { cause });
  }
}

function parseLines(path: string, text: string): JournalLine[] {
  const lines: JournalLine[] = [];
  for (let start = 0, number = 1; start < text.length; number++) {
    const end = text.indexOf("\n", start);
    lines.push(parseLine(path, number, text.slice(start, end)));
    start = end + 1;
  }
  return lines;
}

function parseLine(path: string, number: number, text: string): JournalLine {
  const value = parseJson(text);
  if (isJournalLine(value)) return value;
  throw new JournalError(
    `${path}:${number} is not a line of a journal that this version reads; move the file away to start afresh, or mend the line`,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function setAside(path: string, bytes: Buffer, end: number): string {
  const aside = `${path}.torn-${end}`;
  try {
    writeFileSync(aside, bytes.subarray(end), { mode: 0o600 });
    truncateSync(path, end);
    return aside;
  } catch (cause) {
    throw new JournalError(`cannot set the unfinished last line of ${path} aside: ${errorMessage(cause)}`, { cause });
  }
}
