import type { TextRange } from "@mdx-ai/base/schema";
import type { ListItem } from "mdast";
import { lineStartAt } from "../source-text.ts";
import { firstEndingAfter } from "./lines.ts";
import { childrenOf, endOf, startOf } from "./syntax-tree.ts";

/** Slices a text. */
export type Slice = (start: number, end: number) => string;

/**
 * Slices prose as its author wrote it, without the cuts (sorted and separate). Lines with nothing but cuts are left out as a whole, and so
 * are the blank lines after them where a blank line is before them. Blank lines around the result are left out.
 */
export function proseSlicer(text: string, cuts: readonly TextRange[]): Slice {
  return (start, end) => {
    const pieces: string[] = [];
    let from = start;
    for (let index = firstEndingAfter(cuts, start); index < cuts.length; index++) {
      const cut = cuts[index];
      if (cut === undefined || cut.start >= end) break;
      const joined = joinedCuts(text, cuts, index);
      index += joined.count - 1;
      const range = wholeLines(text, joined.range, { start: from, end });
      pieces.push(text.slice(from, Math.max(from, range.start)));
      from = Math.max(from, Math.min(range.end, end));
    }
    pieces.push(text.slice(from, end));
    return withoutLeadingBlankLines(pieces.join("")).trimEnd();
  };
}

/** The cuts from an index on that only blanks of one line, or nothing, part. */
function joinedCuts(
  text: string,
  cuts: readonly TextRange[],
  index: number,
): { readonly range: TextRange; readonly count: number } {
  const { start = 0, end: first = 0 } = cuts[index] ?? {};
  let end = first;
  let count = 1;
  for (let next = cuts[index + count]; next !== undefined; next = cuts[index + count]) {
    if (!/^[ \t]*$/.test(text.slice(end, next.start))) break;
    end = next.end;
    count++;
  }
  return { range: { start, end }, count };
}

/** The range, with the rest of its lines if they are blank. */
function wholeLines(text: string, { start, end }: TextRange, within: TextRange): TextRange {
  const lineStart = Math.max(within.start, lineStartAt(text, start));
  const isFirst = text.slice(lineStart, start).trim() === "" && isAfterLineBreak(text, lineStart);
  const rest = /(?:[ \t]*(?:\r\n?|\n|$))/y;
  rest.lastIndex = end;
  if (!isFirst || !rest.test(text)) return { start, end };
  const isAfterBlank =
    text.slice(within.start, lineStart).trim() === "" ||
    /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)$/.test(text.slice(Math.max(0, lineStart - MAX_BLANK), lineStart));
  if (!isAfterBlank) return { start: lineStart, end: rest.lastIndex };
  const blankLines = /(?:[ \t]*(?:\r\n?|\n))*/y;
  blankLines.lastIndex = rest.lastIndex;
  blankLines.test(text);
  return { start: lineStart, end: Math.max(rest.lastIndex, blankLines.lastIndex) };
}

/** Characters of a blank line that are looked at. */
const MAX_BLANK = 200;

const isAfterLineBreak = (text: string, offset: number): boolean =>
  offset === 0 || /[\r\n]/.test(text.charAt(offset - 1));

function withoutLeadingBlankLines(text: string): string {
  const written = text.search(/\S/);
  if (written === -1) return "";
  return text.slice(lineStartAt(text, written));
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

/** Takes up to `columns` blanks from the start of every line but the first, then puts two there. Lines end with "\n". */
export function hanging(text: string, columns: number): string {
  const [first = "", ...rest] = text.split(/\r\n?|\n/);
  const outdented = rest.map((line) => line.slice(Math.min(columns, line.length - line.trimStart().length)));
  return [first.trimStart(), ...outdented.map((line) => (line === "" ? "" : `  ${line}`))].join("\n");
}
