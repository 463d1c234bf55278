import { plainLine, plainText } from "@mdx-ai/directory/text";
import type { Colour, Paint } from "./paint.ts";

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
