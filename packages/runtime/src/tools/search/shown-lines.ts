import { closeSync, fstatSync, readFileSync } from "node:fs";
import { attempt } from "../../attempt.ts";
import { checkOpened } from "../permitted-file.ts";
import { openWithoutWaiting } from "../read-window.ts";
import { headOf } from "../tool-result.ts";
import { MOST_FILE_BYTES } from "./search-engine.ts";

/** Characters of a line that are shown. */
const LONGEST_LINE = 400;

/** The lines of a file, if it is still at its real path; undefined if it is not, or cannot be read. */
export function linesOfFile(path: string): readonly string[] | undefined {
  return attempt(() => {
    const descriptor = openWithoutWaiting(path);
    try {
      checkOpened(descriptor, { path, permitted: path });
      const stats = fstatSync(descriptor);
      if (!stats.isFile() || stats.size > MOST_FILE_BYTES) return undefined;
      return readFileSync(descriptor, "utf8").split("\n");
    } finally {
      closeSync(descriptor);
    }
  });
}

/** Matching lines with those around them: `12: text` for a match, `13- text` for another, `--` where lines are left out. */
export function shownLines(lines: readonly string[], numbers: readonly number[], context: number): readonly string[] {
  const matching = new Set(numbers);
  const last = lines.at(-1) === "" ? lines.length - 1 : lines.length;
  const shown: string[] = [];
  let next = 1;
  for (const number of numbers) {
    const first = Math.max(next, number - context);
    if (context > 0 && next > 1 && first > next) shown.push("--");
    for (next = first; next <= Math.min(number + context, last); next += 1) {
      shown.push(`${next}${matching.has(next) ? ":" : "-"} ${cut(lines[next - 1] ?? "")}`);
    }
  }
  return shown;
}

function cut(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  if (text.length <= LONGEST_LINE) return text;
  const head = headOf(text, LONGEST_LINE);
  return `${head}… [${text.length - head.length} more characters]`;
}
