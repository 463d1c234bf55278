import { join, relative } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";
import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { Colour, Output, Paint } from "./output.ts";

/** The most columns for prose. */
export const WIDEST = 120;
const NARROWEST = 20;

/** The columns for prose: the terminal's, else those that `COLUMNS` says, 120 at most. Undefined if nothing says. */
export function textWidth({ isTerminal }: Pick<Output, "isTerminal">, environment: Environment): number | undefined {
  const said = Number(environment["COLUMNS"] ?? "");
  const columns = (isTerminal && process.stdout.columns) || (Number.isInteger(said) && said > 0 ? said : undefined);
  return columns === undefined ? undefined : Math.min(Math.max(columns, NARROWEST), WIDEST);
}

/** Wraps a text at blanks; the lines after the first are indented. */
export const wrappedProse = (text: string, width: number, indent = ""): string =>
  Bun.wrapAnsi(text, Math.max(width - indent.length, 1), { hard: false, trim: true }).replaceAll("\n", `\n${indent}`);

/** Rows of two columns, indented by two; the second is wrapped beside the first, or below it if there is no room. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.max(...rows.map(([text]) => Bun.stringWidth(text)));
  if (left + 4 > width / 2) {
    return rows.map(([name, text]) => `  ${name}\n      ${wrappedProse(text, width, " ".repeat(6))}`).join("\n");
  }
  const indent = " ".repeat(left + 4);
  return rows
    .map(([name, text]) => `  ${name}${" ".repeat(left - Bun.stringWidth(name))}  ${wrappedProse(text, width, indent)}`)
    .join("\n");
}

/** The start of a text in at most `width` columns; an ellipsis replaces the rest. */
export const cutEnd = (text: string, width: number, ellipsis = "…"): string =>
  fitted(text, { width, ellipsis }, (room) => Bun.sliceAnsi(text, 0, room, ellipsis));

/** The end of a text in at most `width` columns; an ellipsis replaces the rest. */
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
  // A character of two columns may stick out by one.
  return Bun.stringWidth(closest) <= width ? closest : cut(width - 1);
}

/** A foreign text that is safe to draw: plain, with tabs as spaces, since a tab has no fixed width. */
export function drawable(text: string): string {
  return plainText(text).replaceAll("\t", "    ");
}

/** Lines of at most `columns`, each after the indent if that leaves room. The text may be styled; a style continues in the next line. */
export function wrapped(text: string, columns: number, indent = ""): readonly string[] {
  const margin = columns > 2 * indent.length ? indent : "";
  const room = Math.max(1, columns - margin.length);
  return Bun.wrapAnsi(text, room, { hard: true, trim: false })
    .split("\n")
    .map((line) => margin + line);
}

/** Cells side by side, all in one colour. */
export interface Row {
  readonly cells: readonly string[];
  readonly colour?: Colour;
}

/** One line per row, each cell as wide as the widest in its column; control sequences are removed. */
export function columns(rows: readonly Row[], paint: Paint): readonly string[] {
  const plain = rows.map(({ cells }) => cells.map(plainLine));
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

/** Columns that a folder has beside other facts. */
const WIDEST_FOLDER = 30;

/** A folder beside other facts on a line: in the user's home folder as `~/…`, and without its beginning if it is long. */
export const shortPath = (path: string, home: string | undefined): string =>
  cutStart(homePath(path, home) ?? path, WIDEST_FOLDER);

/** An absolute path as `~/…` if it is in the user's home folder; undefined for any other path, or without a home. */
export function homePath(path: string, home: string | undefined): string | undefined {
  if (home === undefined || home === "" || home === "/" || !isWithin(home, path)) return undefined;
  return join("~", relative(home, path));
}

/** An absolute path as one from a folder if it is in that; other paths, and the folder itself, stay. */
export const pathFrom = (folder: string, path: string): string =>
  (isWithin(folder, path) && relative(folder, path)) || path;
