import { existsSync, fstatSync, readFileSync } from "node:fs";
import { failureText, jsonValue } from "@mdx-ai/base";
import { newerText, readBytes, readLines, readOpened } from "@mdx-ai/base/disk";
import {
  asJournalError,
  isJournalLine,
  isNewerLine,
  JOURNAL_VERSION,
  JournalError,
  type JournalLine,
  unreadableLine,
} from "./journal.ts";

/** The content of a journal, read without changes. */
export interface JournalSnapshot {
  /** In the order in which they were written. An `unreadableLine` replaces each line that is wholly or partly unreadable. */
  readonly lines: readonly JournalLine[];
  /** The numbers of the unreadable lines, from 1. */
  readonly unreadable: readonly number[];
  /** Whether the last line is unfinished: it is being written, or a crash cut it off. */
  readonly isTorn: boolean;
  /** The length of the complete lines, in bytes. */
  readonly end: number;
}

/**
 * Reads the complete lines of a journal without changing it. Reports unreadable lines and skips an unfinished last
 * one. A missing file is an empty journal. Throws `JournalError` if the file cannot be read, or is of a newer version.
 */
export function readJournal(path: string): JournalSnapshot {
  if (!existsSync(path)) return { lines: [], unreadable: [], isTorn: false, end: 0 };
  const failure = (cause: unknown): string => `cannot read ${path}: ${failureText(cause)}`;
  return asJournalError(() => readOpened(path, (descriptor) => parsed(path, { descriptor, from: 0 })), failure);
}

/**
 * Reads the lines after a position, which must follow a newline; undefined if it does not. Throws as
 * `readJournal` does, or with the file system's error.
 */
export const readJournalTail = (path: string, from: number): JournalSnapshot | undefined =>
  readOpened(path, (descriptor) =>
    readBytes(descriptor, from - 1, 1)[0] === NEWLINE ? parsed(path, { descriptor, from }) : undefined,
  );

const NEWLINE = 0x0a;

/** Bytes; a longer journal is read line by line, so that its text does not have to fit in memory. */
const MAX_TEXT = 67_108_864;

function parsed(
  path: string,
  { descriptor, from }: { readonly descriptor: number; readonly from: number },
): JournalSnapshot {
  const parser = new JournalParser(path);
  const { size } = fstatSync(descriptor);
  const add = (line: string): void => parser.add(line);
  const text = from === 0 && size <= MAX_TEXT ? wholeText(descriptor, size) : undefined;
  text?.slice(0, -1).split("\n").forEach(add);
  const end = text === undefined ? readLines(descriptor, add, { from, to: size }) : size;
  return { lines: parser.lines, unreadable: parser.unreadable, end, isTorn: size > end };
}

/** The text of a file whose lines are all complete; undefined if it has other bytes. Faster than line by line. */
function wholeText(descriptor: number, size: number): string | undefined {
  const text = readFileSync(descriptor, "utf8");
  // Another process may be writing.
  return text.endsWith("\n") && fstatSync(descriptor).size === size ? text : undefined;
}

/** Parses the complete lines of a journal. */
class JournalParser {
  readonly lines: JournalLine[] = [];
  readonly unreadable: number[] = [];
  readonly #path: string;
  #number = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `JournalError` if the line is of a newer version. */
  add(line: string): void {
    this.#number++;
    const value = jsonValue(line);
    if (isJournalLine(value)) this.lines.push(value);
    else {
      if (isNewerLine(value)) throw new JournalError(newerText(`${this.#path}:${this.#number}`));
      this.unreadable.push(this.#number);
      this.lines.push(unreadableLine(this.lines.at(-1)?.prompt ?? 0), ...wholeEnd(line));
    }
  }
}

/**
 * Finds a line after the rest of another one, or after an empty block, as crashes leave them: a line that was appended
 * after a crash is complete. No part of a line can be mistaken for a line, since the end of the line follows.
 */
function wholeEnd(damaged: string): readonly JournalLine[] {
  const start = damaged.lastIndexOf(HEAD);
  if (start <= 0) return [];
  const value = jsonValue(damaged.slice(start));
  return isJournalLine(value) ? [value] : [];
}

const HEAD = `{"v":${JOURNAL_VERSION},"prompt":`;
