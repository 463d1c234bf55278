import type { TextRange } from "@mdx-ai/base/schema";

/** A line of a text, without its break. */
export interface TextLine {
  readonly text: string;
  /** Of its first character, in UTF-16 code units. */
  readonly start: number;
  /** After its break. */
  readonly end: number;
}

/** The lines of a text from an offset on, in their order; an empty one at the end of the text. */
export function* linesOf(text: string, from = 0): Generator<TextLine> {
  const line = /([^\r\n]*)(?:\r\n?|\n|$)/g;
  line.lastIndex = from;
  for (const match of text.matchAll(line)) {
    yield { text: match[1] ?? "", start: match.index, end: match.index + match[0].length };
  }
}

/** One fenced code block, from its opening line to after its closing one or the end of the text; found line by line, for texts that do not parse. */
export interface CodeFence extends TextRange {
  readonly closed: boolean;
  /** The fence's characters, such as three backticks. */
  readonly marker: string;
}

const opening = /^(?:[ \t]|>|[-*+][ \t]|\d{1,9}[.)][ \t])*(`{3,}(?=[^`]*$)|~{3,})/;
const closing = /^[ \t>]*(`{3,}|~{3,})[ \t]*$/;

/** All fenced code blocks of a text, in order. */
export function codeFences(text: string): readonly CodeFence[] {
  const fences: CodeFence[] = [];
  let open: { readonly start: number; readonly marker: string } | undefined;
  for (const { text: line, start, end } of linesOf(text)) {
    if (open === undefined) {
      const marker = opening.exec(line)?.[1];
      if (marker !== undefined) open = { start, marker };
    } else if (closes(line, open.marker)) {
      fences.push({ ...open, end, closed: true });
      open = undefined;
    }
  }
  return open === undefined ? fences : [...fences, { ...open, end: text.length, closed: false }];
}

function closes(line: string, marker: string): boolean {
  return (closing.exec(line)?.[1] ?? "").startsWith(marker);
}

interface Paragraph {
  readonly paragraph: string;
  /** Of its first character, in UTF-16 code units. */
  readonly offset: number;
}

/** The lines of a text between blank lines, in their order. */
export function* paragraphsOf(text: string): Generator<Paragraph> {
  let start: number | undefined;
  for (const line of linesOf(text)) {
    if (line.text.trim() !== "") start ??= line.start;
    else if (start !== undefined) {
      yield { paragraph: text.slice(start, line.start), offset: start };
      start = undefined;
    }
  }
}

/** Whether an offset is in one of these code blocks. */
export function isFenced(offset: number, fences: readonly CodeFence[]): boolean {
  const { start } = fences[firstEndingAfter(fences, offset)] ?? {};
  return start !== undefined && start <= offset;
}

/** The index of the first range that ends after an offset, of ranges that are sorted and separate; their number if none does. */
export function firstEndingAfter(ranges: readonly TextRange[], offset: number): number {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
