import type { JournalLine } from "../journal/journal-line.ts";

/** A step of the session itself. */
export interface OwnLine {
  readonly line: JournalLine;
  /** The number of the last prompt before it; 0 where there was none. */
  readonly afterPrompt: number;
}

/** The session's own steps among the lines of its journals. */
export function ownLines(lines: readonly JournalLine[]): readonly OwnLine[] {
  let afterPrompt = 0;
  return lines.flatMap((line) => {
    afterPrompt = Math.max(afterPrompt, line.prompt);
    return line.prompt === 0 ? [{ line, afterPrompt }] : [];
  });
}
