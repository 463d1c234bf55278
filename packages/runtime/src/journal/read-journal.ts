import { existsSync, fstatSync, readSync, truncateSync, writeFileSync } from "node:fs";
import { failureText } from "../files/failure-text.ts";
import { readLines } from "../files/read-lines.ts";
import { readOpened } from "../files/read-whole-file.ts";
import { JournalError } from "./journal-error.ts";
import type { JournalLine } from "./journal-line.ts";
import { mendedLines } from "./mended-lines.ts";
import { JournalParser, type ParsedJournal } from "./parse-journal.ts";
import { repairJournal } from "./repair-journal.ts";

/** What a journal held, for somebody who goes on with it. */
export interface JournalContents {
  readonly lines: readonly JournalLine[];
  /** Where an unfinished last line was kept aside; absent where there was none, and where `damage` tells of it. */
  readonly tornLine?: string;
  /** What else was wrong with it, and is mended by now. */
  readonly damage?: JournalDamage;
}

/** What was wrong with a journal. */
export interface JournalDamage {
  /** The numbers of the lines that could not be read, or in part only, from 1. */
  readonly unreadable: readonly number[];
  /** How many lines stand in for what was lost, such as results of tool calls. */
  readonly added: number;
  /** Where the damaged journal is kept, whole. */
  readonly aside: string;
}

/** What a journal holds, for somebody who only looks. */
export interface SeenJournal extends ParsedJournal {
  /** Whether its last line is unfinished: it is just being written, or a crash cut it off. */
  readonly isTorn: boolean;
}

/**
 * Reads a journal whole; a missing file is an empty journal. An unfinished last line, as a crash leaves it, is cut off and
 * kept aside. Where lines cannot be read, or a tool call has no result, the journal is mended in its place, and the damaged
 * one kept aside; `now` names that. Throws `JournalError` where that fails, and at lines of a newer version: then nothing is
 * touched.
 */
export function readJournal(path: string, now: () => number = Date.now): JournalContents {
  if (!existsSync(path)) return { lines: [] };
  const { end, torn, ...journal } = readParsed(path);
  const { lines, added } = mendedLines(journal);
  const { unreadable } = journal;
  if (unreadable.length > 0 || added > 0) {
    return { lines, damage: { unreadable, added, aside: repairJournal(path, lines, now()) } };
  }
  return torn.length === 0 ? { lines } : { lines, tornLine: setAside(path, torn, end) };
}

/**
 * The whole lines of a journal, for somebody who only looks: changes nothing, names the lines that cannot be read and passes
 * over an unfinished last one. A missing file is an empty journal. Throws `JournalError` where the file cannot be read, or is
 * of a newer version.
 */
export function lookAtJournal(path: string): SeenJournal {
  if (!existsSync(path)) return { lines: [], unreadable: [], gaps: [], isTorn: false };
  const { lines, unreadable, gaps, torn } = readParsed(path);
  return { lines, unreadable, gaps, isTorn: torn.length > 0 };
}

/** A journal, and what follows its last newline. */
interface ReadJournal extends ParsedJournal {
  /** The place behind the last newline, in bytes. */
  readonly end: number;
  readonly torn: Buffer;
}

/** Piece by piece: a journal may be long, and of what it holds only a part is kept. */
function readParsed(path: string): ReadJournal {
  const parser = new JournalParser(path);
  try {
    return readOpened(path, (descriptor) => {
      const end = readLines(descriptor, (line) => parser.add(line));
      return { ...parser.journal, end, torn: bytesFrom(descriptor, end) };
    });
  } catch (cause) {
    if (cause instanceof JournalError) throw cause;
    throw new JournalError(`cannot read ${path}: ${failureText(cause)}`, { cause });
  }
}

function bytesFrom(descriptor: number, start: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - start));
  return bytes.length === 0 ? bytes : bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
}

function setAside(path: string, torn: Buffer, end: number): string {
  const aside = `${path}.torn-${end}`;
  try {
    writeFileSync(aside, torn, { mode: 0o600 });
    truncateSync(path, end);
    return aside;
  } catch (cause) {
    throw new JournalError(`cannot set the unfinished last line of ${path} aside: ${failureText(cause)}`, { cause });
  }
}
