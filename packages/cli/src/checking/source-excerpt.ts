import { visibleText } from "@mdx-ai/parser/visible-text";
import type { Colour, Paint } from "../output/paint.ts";
import { cutEnd, cutStart } from "../output/text-width.ts";
import type { MarkedLine } from "./marked-line.ts";

export interface ExcerptView {
  /** Columns of the excerpt at most. */
  readonly width: number;
  readonly ellipsis: string;
  /** Of the mark. */
  readonly colour: Colour;
  readonly paint: Paint;
}

/** A line of a file behind its number, cut around the marked range if it is long, and a second line that points at the range. */
export function sourceExcerpt({ text, number, start, end }: MarkedLine, view: ExcerptView): string {
  const { width, colour, paint } = view;
  const gutter = `  ${number} | `;
  const parts = [text.slice(0, start), text.slice(start, end), text.slice(end)].map(shown);
  const { before, marked, after } = cutAround(parts, width - gutter.length, view.ellipsis);
  const mark = "^".padEnd(Bun.stringWidth(marked), "~");
  const below = gutter.replace(/\d/g, " ");
  return [
    `${paint("dim", gutter)}${before}${marked}${after}`.trimEnd(),
    `${paint("dim", below)}${" ".repeat(Bun.stringWidth(before))}${paint(colour, mark)}`,
  ].join("\n");
}

/** On one line of a known width: tabs as spaces, and everything else that cannot be seen as an escape. */
const shown = (text: string): string => text.split("\t").map(visibleText).join("    ");

interface Parts {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Cuts a line of three parts to `room` columns: the marked one keeps up to half of them, the others share the rest. */
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
