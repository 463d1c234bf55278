/** Keys of maps and indexes of lists, from the outside in. */
export type Path = readonly string[];

/** Offsets in a text. */
export interface TextRange {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
}

/** A replacement in one file; offsets are UTF-16 code units from the start of the file's text. */
export interface TextEdit extends TextRange {
  readonly text: string;
}

/** A value with the range of each of its parts, independent of its format. */
export interface Located<T = unknown> {
  readonly value: T;
  /** The range of the key or value at a path; if it does not exist, the range of the nearest part that contains it. */
  range(path: Path, of: "key" | "value"): TextRange;
  /** The text of a range. */
  written(range: TextRange): string;
  /** The change that sets the text of the value at a path, if replacing its range is not enough. */
  edit?(path: Path, text: string): TextEdit | undefined;
}

/** `line:column` of an offset, both from 1. */
export function positionIn(text: string, offset: number): string {
  const before = text.slice(0, offset);
  return `${before.split("\n").length}:${offset - before.lastIndexOf("\n")}`;
}

const NOWHERE: TextRange = { start: 0, end: 0 };

/** A value without a text: all its ranges are empty. */
export const unlocated = <T>(value: T): Located<T> => ({ value, range: () => NOWHERE, written: () => "" });
