import type { ListItem } from "mdast";
import { childrenOf, endOf, startOf } from "./syntax-tree.ts";

/** A part of a text, in UTF-16 code units. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A part that is not prose. One on lines of its own is a block, and a comment may be one within lines of HTML. One is a separator
 * if the text after it would belong to the list before it without it.
 */
export interface Cut extends Range {
  readonly kind: "inline" | "block" | "block_comment" | "separator";
}

/** Slices a text. */
export type Slice = (start: number, end: number) => string;

/** What parts a list from an indented text, as the specification of CommonMark says. */
const separator = "<!-- -->";

/**
 * Slices prose as the author wrote it, without the cuts (sorted and separate) and with "\n" at the line ends.
 * Blank lines around the result are taken off, and one blank line remains where a block was cut. None remains where a comment
 * was cut from lines of HTML: a blank line would end them, and indented tags after it would be a code block. A separator
 * leaves an empty comment.
 */
export function proseSlicer(text: string, cuts: readonly Cut[]): Slice {
  return (start, end) => {
    const prose = new GrowingProse();
    let from = start;
    let isHtml = false;
    for (let index = firstEndingAfter(cuts, start); index < cuts.length; index++) {
      const cut = cuts[index];
      if (cut === undefined || cut.start >= end) break;
      const piece = text.slice(from, cut.start);
      prose.add(piece);
      isHtml = endsInHtml(piece, isHtml);
      if (cut.kind === "separator") prose.add(separator);
      else if (leavesBlankLine(cut, isHtml)) {
        prose.endBlock();
        isHtml = false;
      }
      from = Math.max(from, Math.min(cut.end, end));
    }
    prose.add(text.slice(from, end));
    return withoutLeadingBlankLines(prose.text).trimEnd().replace(/\r\n?/g, "\n");
  };
}

/** Prose that grows piece by piece. What is before its last written character does not change, so that no piece needs a look at all. */
class GrowingProse {
  readonly #settled: string[] = [];
  /** The last written character, and the blanks after it. */
  #end = "";

  get text(): string {
    return this.#settled.join("") + this.#end;
  }

  add(piece: string): void {
    const end = joined(this.#end, piece);
    const last = Math.max(0, end.trimEnd().length - 1);
    this.#settled.push(end.slice(0, last));
    this.#end = end.slice(last);
  }

  /** Leaves one blank line after what is written. */
  endBlock(): void {
    const written = this.#end.trimEnd();
    if (written !== "") this.#end = `${written}\n\n`;
  }
}

const leavesBlankLine = ({ kind }: Cut, isHtml: boolean): boolean =>
  kind === "block" || (kind === "block_comment" && !isHtml);

/** Adds what follows a cut: after a blank line no other one, and of a line with nothing but cuts not its end either. */
function joined(before: string, piece: string): string {
  if (before.endsWith("\n\n")) return before + piece.replace(/^(?:[^\S\r\n]*(?:\r\n?|\n))+/, "");
  const rest = /^[^\S\r\n]*(?:\r\n?|\n)/.exec(piece)?.[0];
  if (rest === undefined) return before + piece;
  const lineStart = Math.max(before.lastIndexOf("\n"), before.lastIndexOf("\r")) + 1;
  const isEmptyLine = lineStart > 0 && before.slice(lineStart).trim() === "";
  return isEmptyLine ? before.slice(0, lineStart) + piece.slice(rest.length) : before + piece;
}

/** Whether a text ends in lines that Markdown reads as HTML: a tag begins one of them, and no blank line follows it. */
function endsInHtml(piece: string, isHtml: boolean): boolean {
  const blank = [...piece.matchAll(/(?:\r\n|\n|\r(?!\n))[^\S\r\n]*(?=[\r\n])/g)].at(-1);
  const lines = blank === undefined ? piece : piece.slice(blank.index + blank[0].length);
  return (isHtml && blank === undefined) || /^[^\S\r\n]*<[a-z/]/im.test(lines);
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
