import type { Output } from "../output/output.ts";

/** Where nobody says how wide a line may be, such as in a file. */
const DEFAULT_COLUMNS = 120;

/** The columns of a line of standard output. */
export function outputWidth(output: Output): number {
  const columns = output.isTerminal ? process.stdout.columns : DEFAULT_COLUMNS;
  return columns > 0 ? columns : DEFAULT_COLUMNS;
}
