import { jsonValue } from "../json-value.ts";
import { JournalError } from "./journal-error.ts";
import { isJournalLine, isNewerLine, type JournalLine } from "./journal-line.ts";

/** The content of a journal. */
export interface ParsedJournal {
  /** In the order in which they were written. */
  readonly lines: readonly JournalLine[];
  /** The numbers of the lines of the file that could not be read, or in part only, from 1. */
  readonly unreadable: readonly number[];
  /** Places among `lines` before which something could not be read. */
  readonly gaps: readonly number[];
}

/** Parses the whole lines of a journal, one after the other. */
export class JournalParser {
  readonly lines: JournalLine[] = [];
  readonly unreadable: number[] = [];
  readonly gaps: number[] = [];
  readonly #path: string;
  #number = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `JournalError` where the line is of a newer version: what that means nobody knows here. */
  add(line: string): void {
    this.#number++;
    const value = jsonValue(line);
    if (isJournalLine(value)) this.lines.push(value);
    else {
      if (isNewerLine(value)) throw newerJournal(this.#path, this.#number);
      this.unreadable.push(this.#number);
      this.gaps.push(this.lines.length);
      this.lines.push(...wholeEnd(line));
    }
  }

  get journal(): ParsedJournal {
    return { lines: this.lines, unreadable: this.unreadable, gaps: this.gaps };
  }
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
  const start = Math.max(...HEADS.map((head) => damaged.lastIndexOf(head)));
  if (start <= 0) return [];
  const value = jsonValue(damaged.slice(start));
  return isJournalLine(value) ? [value] : [];
}

/** How every line begins. */
const HEADS = ['{"v":1,"prompt":', '{"v":2,"prompt":'] as const;
