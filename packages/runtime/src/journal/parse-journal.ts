import { JournalError } from "./journal-error.ts";
import { isJournalLine, isNewerLine, type JournalLine } from "./journal-line.ts";

/** What the text of a journal tells. */
export interface ParsedJournal {
  /** In the order in which they were written. */
  readonly lines: readonly JournalLine[];
  /** The numbers of the lines of the file that could not be read, or in part only, from 1. */
  readonly unreadable: readonly number[];
  /** Places among `lines` before which something could not be read. */
  readonly gaps: readonly number[];
}

/**
 * Parses the whole lines of a journal, each with its newline. Throws `JournalError` where one is of a newer version: what
 * that means nobody knows here.
 */
export function parseJournal(path: string, text: string): ParsedJournal {
  const lines: JournalLine[] = [];
  const unreadable: number[] = [];
  const gaps: number[] = [];
  for (let start = 0, number = 1; start < text.length; number++) {
    const end = text.indexOf("\n", start);
    const line = text.slice(start, end);
    const value = parsed(line);
    if (isJournalLine(value)) lines.push(value);
    else {
      if (isNewerLine(value)) throw newerJournal(path, number);
      unreadable.push(number);
      gaps.push(lines.length);
      lines.push(...wholeEnd(line));
    }
    start = end + 1;
  }
  return { lines, unreadable, gaps };
}

const newerJournal = (path: string, line: number): JournalError =>
  new JournalError(
    `${path}:${line} was written by a newer mdx-ai, which this version cannot read; use that one for this session`,
  );

/**
 * The line that follows what was left of another one, or a block without contents, as crashes leave them: what was appended
 * after that is whole. Nothing within a line can be taken for one: its own end follows it.
 */
function wholeEnd(damaged: string): readonly JournalLine[] {
  const start = damaged.lastIndexOf(HEAD);
  if (start <= 0) return [];
  const value = parsed(damaged.slice(start));
  return isJournalLine(value) ? [value] : [];
}

/** How every line begins. */
const HEAD = '{"v":1,"prompt":';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
