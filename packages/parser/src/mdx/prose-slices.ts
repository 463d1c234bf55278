import type { ListItem } from "mdast";
import { childrenOf, endOf, startOf } from "./syntax-tree.ts";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A part that is not prose; with `block` it is on lines of its own. */
export interface Cut extends Range {
  readonly block: boolean;
}

/** Slices a text. */
export type Slice = (start: number, end: number) => string;

/**
 * Slices prose as the author wrote it, without the cuts (sorted and separate) and with "\n" at the line ends.
 * Blank lines around the result are taken off, and one blank line remains where a block was cut.
 */
export function proseSlicer(text: string, cuts: readonly Cut[]): Slice {
  return (start, end) => {
    let prose = "";
    let from = start;
    for (let index = firstEndingAfter(cuts, start); index < cuts.length; index++) {
      const cut = cuts[index];
      if (cut === undefined || cut.start >= end) break;
      prose = joined(prose, text.slice(from, cut.start), cut);
      from = Math.max(from, Math.min(cut.end, end));
    }
    return trimmed(prose + afterCut(prose, text.slice(from, end))).replace(/\r\n?/g, "\n");
  };
}

function joined(before: string, piece: string, cut: Cut): string {
  const prose = before + afterCut(before, piece);
  return cut.block && prose.trim() !== "" ? `${prose.trimEnd()}\n\n` : prose;
}

function afterCut(before: string, piece: string): string {
  return before.endsWith("\n\n") ? piece.replace(/^(?:[^\S\r\n]*(?:\r\n?|\n))+/, "") : piece;
}

function trimmed(prose: string): string {
  return withoutLeadingBlankLines(prose).trimEnd();
}

function withoutLeadingBlankLines(text: string): string {
  const written = text.search(/\S/);
  if (written === -1) return "";
  const lineStart = Math.max(text.lastIndexOf("\n", written), text.lastIndexOf("\r", written)) + 1;
  return text.slice(lineStart);
}

function firstEndingAfter(cuts: readonly Cut[], offset: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cuts[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The text of a list item as written, without its bullet. Its later lines are indented by two columns, so that with "- "
 * before it the text is the same Markdown again. Empty if the item is.
 */
export function hangingText(item: ListItem, slice: Slice): string {
  const first = childrenOf(item)[0];
  if (first === undefined) return "";
  return hanging(slice(startOf(first), endOf(item)), (first.position?.start.column ?? 1) - 1);
}

/** Takes up to `columns` blanks from the start of every line but the first, then puts two there. */
export function hanging(text: string, columns: number): string {
  const [first = "", ...rest] = text.split("\n");
  const outdented = rest.map((line) => line.slice(Math.min(columns, line.length - line.trimStart().length)));
  return [first.trimStart(), ...outdented.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}
