import type { JournalLine } from "../journal/journal-line.ts";
import { readStep } from "../loop/steps.ts";

/** Whether a line is a record about a file. */
export const isFileLine = ({ step }: JournalLine): boolean => readStep(step).kind === "file";

/** The lines without those by which files are restored, or count as seen. */
export const withoutFileLines = (lines: readonly JournalLine[]): readonly JournalLine[] =>
  lines.filter(({ step }) => !["file", "undo"].includes(readStep(step).kind));
