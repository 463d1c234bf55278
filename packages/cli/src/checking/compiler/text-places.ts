import type { SourcePoint } from "@mdx-ai/parser";

/** Where the compiler begins a line: it also does so after two signs that are no line ends to anybody else. */
const COMPILER_LINE_END = /\r\n?|[\n\u2028\u2029]/g;
const LINE_END = /\r\n?|\n/g;

/** The offset of a place that the compiler names; a byte-order mark is no part of the text. */
export function offsetOf(text: string, { line, column }: SourcePoint): number {
  return (lineStarts(text, COMPILER_LINE_END)[line - 1] ?? text.length) + column - 1;
}

/** The place of an offset as people and editors count. */
export function pointAt(text: string, offset: number): SourcePoint {
  const starts = lineStarts(text, LINE_END);
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

const lineStarts = (text: string, end: RegExp): readonly number[] => [
  0,
  ...Array.from(text.matchAll(end), (match) => match.index + match[0].length),
];
