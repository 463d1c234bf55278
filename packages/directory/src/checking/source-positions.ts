import type { SourcePoint, ToolDefinition } from "@mdx-ai/parser";

/** The position in the author's file of an offset in a tool's code. */
export function positionInSource({ text, position, indent }: ToolDefinition["code"], offset: number): SourcePoint {
  const point = pointAt(text, Math.min(offset, text.length));
  return { line: point.line + position.line - 1, column: point.column + indent };
}

/** The compiler's line ends, which include two that other programs do not count. */
const COMPILER_LINE_END = /\r\n?|[\n\u2028\u2029]/g;
const LINE_END = /\r\n?|\n/g;

/** The offset of a compiler's position; the text is without a byte-order mark. */
export function offsetOf(text: string, { line, column }: SourcePoint): number {
  return (lineStarts(text, COMPILER_LINE_END)[line - 1] ?? text.length) + column - 1;
}

/** The position of an offset, counted as in editors. */
export function pointAt(text: string, offset: number): SourcePoint {
  const starts = lineStarts(text, LINE_END);
  const line = starts.findLastIndex((start) => start <= offset);
  return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
}

const lineStarts = (text: string, end: RegExp): readonly number[] => [
  0,
  ...Array.from(text.matchAll(end), (match) => match.index + match[0].length),
];
