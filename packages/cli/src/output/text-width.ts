import type { Environment } from "@mdx-ai/models";
import type { Output } from "./output.ts";

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
export const wrapped = (text: string, width: number, indent = ""): string =>
  Bun.wrapAnsi(text, Math.max(width - indent.length, 1), { hard: false, trim: true }).replaceAll("\n", `\n${indent}`);

/** Rows of two columns, indented by two; the second is wrapped beside the first, or below it if there is no room. */
export function twoColumns(rows: readonly (readonly [string, string])[], width: number): string {
  const left = Math.max(...rows.map(([text]) => Bun.stringWidth(text)));
  if (left + 4 > width / 2) {
    return rows.map(([name, text]) => `  ${name}\n      ${wrapped(text, width, " ".repeat(6))}`).join("\n");
  }
  const indent = " ".repeat(left + 4);
  return rows
    .map(([name, text]) => `  ${name}${" ".repeat(left - Bun.stringWidth(name))}  ${wrapped(text, width, indent)}`)
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
