import { join, relative } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { Colour, Output, Paint } from "./output.ts";

/** The maximum width of prose. */
export const WIDEST = 120;
const NARROWEST = 20;

/** The width for prose: the terminal's, else `COLUMNS`, at most 120. Undefined if unknown. */
export function textWidth({ isTerminal }: Pick<Output, "isTerminal">, environment: Environment): number | undefined {
  const said = Number(environment["COLUMNS"] ?? "");
  const columns = (isTerminal && process.stdout.columns) || (Number.isInteger(said) && said > 0 ? said : undefined);
  return columns === undefined ? undefined : Math.min(Math.max(columns, NARROWEST), WIDEST);
}

/** Wraps a text at blanks and indents all lines but the first. */
export const wrappedProse = (text: string, width: number, indent = ""): string =>
  Bun.wrapAnsi(text, Math.max(width - indent.length, 1), { hard: false, trim: true }).replaceAll("\n", `\n${indent}`);

/** Rows of two columns, indented by two. The second column is wrapped beside the first, or below it if space is short. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.max(...rows.map(([text]) => Bun.stringWidth(text)));
  if (left + 4 > width / 2) {
    return rows
      .map(([name, text]) => `  ${wrappedCommand(name, width - 2)}\n      ${wrappedProse(text, width, " ".repeat(6))}`)
      .join("\n");
  }
  const indent = " ".repeat(left + 4);
  return rows
    .map(([name, text]) => `  ${name}${" ".repeat(left - Bun.stringWidth(name))}  ${wrappedProse(text, width, indent)}`)
    .join("\n");
}

/** Wraps a command line as a shell continues it, so that it can be copied. */
function wrappedCommand(line: string, width: number): string {
  if (Bun.stringWidth(line) <= width) return line;
  const [first = "", ...rest] = Bun.wrapAnsi(line, Math.max(width - 6, 1), { hard: false, trim: true }).split("\n");
  return [first, ...rest.map((part) => `    ${part}`)].join(" \\\n");
}

/** Cuts the end of a text to at most `width` columns, with an ellipsis. */
export const cutEnd = (text: string, width: number, ellipsis = "…"): string =>
  fitted(text, { width, ellipsis }, (room) => Bun.sliceAnsi(text, 0, room, ellipsis));

/** Cuts the start of a text to at most `width` columns, with an ellipsis. */
export const cutStart = (text: string, width: number, ellipsis = "…"): string =>
  fitted(text, { width, ellipsis }, (room) => Bun.sliceAnsi(text, -room, undefined, ellipsis));

interface Fitting {
  readonly width: number;
  readonly ellipsis: string;
}

function fitted(text: string, { width, ellipsis }: Fitting, cut: (room: number) => string): string {
  if (Bun.stringWidth(text) <= width) return text;
  if (width < Bun.stringWidth(ellipsis)) return "";
  const closest = cut(width);
  // A double-width character may exceed the width by one.
  return Bun.stringWidth(closest) <= width ? closest : cut(width - 1);
}

/**
 * Removes what makes an emoji of a character, as in ⚠️ and 1️⃣: some terminals and libraries then count two columns, others one. All of
 * them agree on the character alone.
 */
export const evenWidth = (text: string): string => text.replace(/[\ufe0f\u20e3]/g, "");

/** Makes untrusted text safe to draw: no control sequences, and spaces for tabs, which have no fixed width. */
export function drawable(text: string): string {
  return evenWidth(plainText(text)).replaceAll("\t", "    ");
}

/** Wraps to at most `columns`, with the indent if there is room for it. Styles continue on the next line. */
export function wrapped(text: string, columns: number, indent = ""): readonly string[] {
  const margin = columns > 2 * indent.length ? indent : "";
  const room = Math.max(1, columns - margin.length);
  return Bun.wrapAnsi(text, room, { hard: true, trim: false })
    .split("\n")
    .map((line) => margin + line);
}

/** Cells of one row, in one colour. */
export interface Row {
  readonly cells: readonly string[];
  readonly colour?: Colour;
}

/** One line per row, with aligned columns. Control sequences are removed. */
export function columns(rows: readonly Row[], paint: Paint): readonly string[] {
  const plain = rows.map(({ cells }) => cells.map((cell) => evenWidth(plainLine(cell))));
  const widths: number[] = [];
  for (const cells of plain) {
    for (const [at, cell] of cells.entries()) widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(cell));
  }
  return plain.map((cells, at) => {
    const line = cells.map((cell, column) => padded(cell, widths[column] ?? 0)).join("  ");
    const colour = rows[at]?.colour;
    return colour === undefined ? line.trimEnd() : paint(colour, line.trimEnd());
  });
}

const padded = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - Bun.stringWidth(text)));

/** Columns of a folder shown next to other values. */
const WIDEST_FOLDER = 30;

/** A folder shown next to other values: `~/…` in the home folder, without its start if it is long. */
export const shortPath = (path: string, home: string | undefined): string =>
  cutStart(homePath(path, home) ?? path, WIDEST_FOLDER);

/** An absolute path as `~/…` if it is in the home folder; undefined otherwise. */
export function homePath(path: string, home: string | undefined): string | undefined {
  if (home === undefined || home === "" || home === "/" || !isWithin(home, path)) return undefined;
  return join("~", relative(home, path));
}

/** An absolute path relative to a folder if inside it; otherwise unchanged. */
export const pathFrom = (folder: string, path: string): string =>
  (isWithin(folder, path) && relative(folder, path)) || path;
