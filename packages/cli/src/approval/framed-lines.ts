import { evenWidth, wrapped } from "../output/line-layout.ts";
import type { Theme } from "../output/theme.ts";
import type { ContentLine } from "./approval-content.ts";

/** Columns of the frame and the diff sign. */
const MARGIN = 6;

/**
 * Puts a frame before each line, so that none looks like a line of the program. Long lines are hard-wrapped without loss; their
 * continuation rows have a broken frame.
 */
export function framedLines(lines: readonly ContentLine[], columns: number, theme: Theme): readonly string[] {
  const options = { hard: true, trim: false, wordWrap: false };
  return lines.flatMap(({ mark, text }) => {
    const rows = Bun.wrapAnsi(evenWidth(text), Math.max(1, columns - MARGIN), options).split("\n");
    const paint = paintOf(mark, theme);
    return rows.flatMap((row, index) => {
      const frame = theme.dim(index === 0 ? theme.frame : theme.brokenFrame);
      return wrapped(`  ${frame} ${paint(`${index === 0 ? signOf(mark) : blankOf(mark)}${row}`)}`, columns);
    });
  });
}

/** Every line of a diff has a sign, so that no line of a file looks like a note by the program. */
const signOf = (mark: ContentLine["mark"]): string => (mark === undefined ? "" : mark === "@" ? mark : `${mark} `);

const blankOf = (mark: ContentLine["mark"]): string => " ".repeat(signOf(mark).length);

function paintOf(mark: ContentLine["mark"], theme: Theme): (text: string) => string {
  switch (mark) {
    case "+":
      return theme.success;
    case "-":
      return theme.failure;
    case "@":
      return theme.accent;
    case "!":
      return theme.warning;
    case " ":
    case undefined:
      return (text) => text;
  }
}
