import type { SourcePoint, TextEdit } from "./types/diagnostic.ts";

const byteOrderMark = "\uFEFF";

/** UTF-16 code units in which lines are counted at first. */
const FIRST_LINES = 1_000;

/**
 * The text of one file, with the mapping back to what the author wrote: a byte-order mark is taken off, and
 * repairs may have been applied in memory. Offsets are UTF-16 code units of `text`; lines and columns are those of the file.
 */
export class SourceText {
  readonly text: string;
  readonly #original: string;
  readonly #edits: readonly TextEdit[];
  /** Of the lines up to an offset: of a long file mostly the beginning matters. */
  #lineStarts: { readonly upTo: number; readonly starts: readonly number[] } = { upTo: -1, starts: [] };

  constructor(original: string, text: string = withoutByteOrderMark(original), edits: readonly TextEdit[] = []) {
    this.#original = original;
    this.text = text;
    this.#edits = edits;
  }

  /** The text after a replacement in it; offsets of the new one still lead back to the file. */
  edited(edit: TextEdit): SourceText {
    const text = this.text.slice(0, edit.start) + edit.text + this.text.slice(edit.end);
    return new SourceText(this.#original, text, [...this.#edits, edit]);
  }

  /** Line and column in the file. Never fails; an offset outside is moved to the nearest end. */
  pointAt(offset: number): SourcePoint {
    const unedited = this.#unedited(offset);
    const starts = this.#lineStartsUpTo(unedited);
    const line = lastNotAbove(starts, unedited);
    return { line: line + 1, column: unedited - (starts[line] ?? 0) + 1 };
  }

  /** The same replacement for the file itself, its byte-order mark counted. */
  fileEdit(edit: TextEdit): TextEdit {
    const mark = this.#original.startsWith(byteOrderMark) ? 1 : 0;
    return { start: this.#unedited(edit.start) + mark, end: this.#unedited(edit.end) + mark, text: edit.text };
  }

  #lineStartsUpTo(offset: number): readonly number[] {
    if (offset > this.#lineStarts.upTo) {
      const upTo = Math.max(offset, 2 * this.#lineStarts.upTo, FIRST_LINES);
      // One more, so that a CRLF is not cut in two.
      const text = withoutByteOrderMark(this.#original).slice(0, upTo + 1);
      this.#lineStarts = { upTo, starts: lineStartsOf(text) };
    }
    return this.#lineStarts.starts;
  }

  #unedited(offset: number): number {
    const before = this.#edits.reduceRight((current, edit) => undo(edit, current), offset);
    return Math.max(0, Math.min(before, this.#original.length));
  }
}

function undo(edit: TextEdit, offset: number): number {
  if (offset <= edit.start) return offset;
  const grown = edit.text.length - (edit.end - edit.start);
  return offset >= edit.start + edit.text.length ? offset - grown : edit.start;
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

/** A file's bytes as text. */
interface DecodedText {
  readonly text: string;
  /** Offset in `text` of the first byte that is not UTF-8, if there is one; it reads as U+FFFD. */
  readonly invalidAt?: number;
}

const replacement = "\uFFFD";

/** Decodes UTF-8, keeping a byte-order mark. Never throws. */
export function decodeText(bytes: Uint8Array): DecodedText {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  if (!text.includes(replacement)) return { text };
  const invalidAt = firstInvalid(text, bytes);
  return invalidAt === undefined ? { text } : { text, invalidAt };
}

/** A replacement character that is not in the bytes comes from the decoder. */
function firstInvalid(text: string, bytes: Uint8Array): number | undefined {
  let position = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    position += Buffer.byteLength(text.slice(from, at));
    const isWritten = bytes[position] === 0xef && bytes[position + 1] === 0xbf && bytes[position + 2] === 0xbd;
    if (!isWritten) return at;
    position += 3;
    from = at + 1;
  }
  return undefined;
}
