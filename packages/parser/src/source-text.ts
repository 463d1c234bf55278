import type { SourcePoint, TextEdit } from "./types/diagnostic.ts";

const byteOrderMark = "\uFEFF";

/** UTF-16 code units in which lines are counted at first. */
const FIRST_LINES = 1_000;

/** The text of one file without its byte-order mark. Offsets are UTF-16 code units of `text`. */
export class SourceText {
  readonly text: string;
  readonly #hasMark: boolean;
  /** Of the lines up to an offset: of a long file mostly the beginning matters. */
  #lineStarts: { readonly upTo: number; readonly starts: readonly number[] } = { upTo: -1, starts: [] };

  constructor(original: string) {
    this.text = withoutByteOrderMark(original);
    this.#hasMark = this.text.length < original.length;
  }

  /** Line and column in the file. Never fails; an offset outside is moved to the nearest end. */
  pointAt(offset: number): SourcePoint {
    const within = Math.max(0, Math.min(offset, this.text.length));
    const starts = this.#lineStartsUpTo(within);
    const line = lastNotAbove(starts, within);
    return { line: line + 1, column: within - (starts[line] ?? 0) + 1 };
  }

  /** The same replacement for the file itself, its byte-order mark counted. */
  fileEdit({ start, end, text }: TextEdit): TextEdit {
    const mark = this.#hasMark ? 1 : 0;
    return { start: start + mark, end: end + mark, text };
  }

  #lineStartsUpTo(offset: number): readonly number[] {
    if (offset > this.#lineStarts.upTo) {
      const upTo = Math.max(offset, 2 * this.#lineStarts.upTo, FIRST_LINES);
      // One more, so that a CRLF is not cut in two.
      this.#lineStarts = { upTo, starts: lineStartsOf(this.text.slice(0, upTo + 1)) };
    }
    return this.#lineStarts.starts;
  }
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith(byteOrderMark) ? text.slice(1) : text;
}

function lineStartsOf(text: string): readonly number[] {
  return [0, ...Array.from(text.matchAll(/\r\n?|\n/g), (match) => match.index + match[0].length)];
}

function lastNotAbove(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The start of the line of an offset, in a text whose lines end with "\n", "\r\n" or "\r". */
export function lineStartAt(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  return start;
}
