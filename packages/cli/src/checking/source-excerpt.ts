import { visibleText } from "@mdx-ai/base";
import type { Diagnostic } from "@mdx-ai/parser";
import { cutEnd, cutStart } from "../output/line-layout.ts";
import type { Colour, Paint } from "../output/output.ts";

/** A source line with a marked range, in UTF-16 code units from the start of the line. An empty range marks a position. */
export interface MarkedLine {
  /** Redacted. */
  readonly text: string;
  /** From 1. */
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** A source text, prepared once for all its diagnostics. */
export interface SourceFile {
  readonly text: string;
  /** The start offset of each line. */
  readonly starts: readonly number[];
  readonly redact: (text: string) => string;
  readonly redacted: string;
  /** The lines that diagnostics have asked for, by number. */
  readonly lines: Map<number, SourceLine>;
}

interface SourceLine {
  /** Without its line break. */
  readonly text: string;
  readonly redacted: string;
  /** Whether it belongs to a secret of several lines. */
  readonly isSecret: boolean;
}

/** Prepares a file's text. */
export function sourceFile(text: string, redact: (text: string) => string): SourceFile {
  const first = text.startsWith("\uFEFF") ? 1 : 0;
  const starts = [first, ...Array.from(text.matchAll(/\r\n?|\n/g), (end) => end.index + end[0].length)];
  return { text, starts, redact, redacted: redact(text), lines: new Map() };
}

/**
 * The marked line of a diagnostic: the range that its fix replaces, or the word at its position. Undefined if there is no such line, or if
 * it belongs to a multi-line secret.
 */
export function markedLine(diagnostic: Diagnostic, file: SourceFile): MarkedLine | undefined {
  const offset = file.starts[diagnostic.line - 1];
  if (offset === undefined) return undefined;
  const line = file.lines.getOrInsertComputed(diagnostic.line, () => lineFrom(offset, diagnostic.line, file));
  if (line.isSecret) return undefined;
  const { text, redacted } = line;
  const start = Math.min(diagnostic.column - 1, text.length);
  const end = Math.min(rangeEnd(diagnostic, text, { offset, start }), text.length);
  const moved = (offset: number): number =>
    redacted === text ? offset : offsetIn(redacted, file.redact(text.slice(0, offset)));
  return { text: redacted, number: diagnostic.line, start: moved(start), end: moved(end) };
}

function lineFrom(offset: number, number: number, file: SourceFile): SourceLine {
  const text = file.text.slice(offset, file.starts[number]).replace(/[\r\n]+$/, "");
  const redacted = file.redact(text);
  return { text, redacted, isSecret: !file.redacted.includes(redacted) };
}

/** A name in code, YAML or a tag. */
const WORD = /^[\p{L}\p{N}\p{M}_$]+(?:-[\p{L}\p{N}\p{M}_$]+)*/u;

function rangeEnd(
  { fix }: Diagnostic,
  text: string,
  { offset, start }: { readonly offset: number; readonly start: number },
): number {
  if (fix?.start === offset + start) return fix.end - offset;
  return start + (WORD.exec(text.slice(start))?.[0].length ?? 0);
}

/** Maps an offset to the redacted text; an offset within a secret maps to the start of its replacement. */
function offsetIn(redacted: string, before: string): number {
  if (redacted.startsWith(before)) return before.length;
  let offset = 0;
  while (offset < before.length && before[offset] === redacted[offset]) offset++;
  return offset;
}

export interface ExcerptView {
  /** The maximum width of the excerpt, in columns. */
  readonly width: number;
  readonly ellipsis: string;
  /** Of the marked range. */
  readonly colour: Colour;
  readonly paint: Paint;
}

/** A source line after its number, cut around the marked range if it is long, and a second line that points at the range. */
export function sourceExcerpt({ text, number, start, end }: MarkedLine, view: ExcerptView): string {
  const { width, colour, paint } = view;
  const gutter = `  ${number} | `;
  const room = width - gutter.length;
  const parts = [
    near("end", text.slice(0, start), room),
    near("start", text.slice(start, end), room),
    near("start", text.slice(end), room),
  ];
  const { before, marked, after } = cutAround(parts, room, view.ellipsis);
  const mark = "^".padEnd(Bun.stringWidth(marked), "~");
  const below = gutter.replace(/\d/g, " ");
  return [
    `${paint("dim", gutter)}${before}${marked}${after}`.trimEnd(),
    `${paint("dim", below)}${" ".repeat(Bun.stringWidth(before))}${paint(colour, mark)}`,
  ].join("\n");
}

/** One line of known width: tabs become spaces, and invisible characters become escapes. */
const shown = (text: string): string => text.split("\t").map(visibleText).join("    ");

/** Code units that are looked at for each column: a line may be as long as its file, and have a thousand mistakes. */
const UNITS_A_COLUMN = 3;

/**
 * A text as shown, or the part of it at one end: so much that what the other end of the part breaks apart, such as an emoji or a flag, lies far
 * outside of `room`.
 */
function near(end: "start" | "end", text: string, room: number): string {
  const units = UNITS_A_COLUMN * room;
  const part = shown(end === "start" ? text.slice(0, units) : text.slice(-units));
  return Bun.stringWidth(part) > 2 * room ? part : shown(text);
}

interface Parts {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Cuts a line of three parts to `room` columns. The marked part keeps up to half; the others share the rest. */
function cutAround([before = "", marked = "", after = ""]: readonly string[], room: number, ellipsis: string): Parts {
  const markWidth = Math.max(1, Bun.stringWidth(marked));
  if (Bun.stringWidth(before) + markWidth + Bun.stringWidth(after) <= room) return { before, marked, after };
  const isMarkWhole = markWidth <= room >> 1;
  const middle = isMarkWhole ? marked : cutEnd(marked, room >> 1, ellipsis);
  const rest = room - Math.max(1, Bun.stringWidth(middle));
  const end = isMarkWhole ? after : "";
  const start = cutStart(before, Math.max(rest >> 1, rest - Bun.stringWidth(end)), ellipsis);
  return { before: start, marked: middle, after: cutEnd(end, rest - Bun.stringWidth(start), ellipsis) };
}
