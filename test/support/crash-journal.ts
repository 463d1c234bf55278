import { isJournalLine, type JournalLine } from "../../packages/sessions/src/journal/journal.ts";
import type { Snapshot } from "./crash-story.ts";

/** The number of the prompt that has no end. */
export function openPrompt(snapshot: Snapshot): number | undefined {
  const lines = linesOf(snapshot);
  const last = Math.max(0, ...lines.map(({ prompt }) => prompt));
  const isOpen = last > 0 && !lines.some(({ prompt, step }) => prompt === last && step === "end");
  return isOpen ? last : undefined;
}

/** The lines of its journals. */
export function linesOf({ journal }: Snapshot): readonly JournalLine[] {
  const values: readonly unknown[] = wholeLines(journal)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  return values.filter(isJournalLine);
}

/** What a journal holds up to its last line break. */
export const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf("\n") + 1);

/** The id of the call whose step a line is of. */
export const callOf = ({ step }: JournalLine): string => step.replace(/^tool:\d+:/, "");

/** Calls that have a marker and no result. */
export function cutCalls(lines: readonly JournalLine[]): readonly string[] {
  const ended = new Set(lines.flatMap((line) => ("result" in line ? [callOf(line)] : [])));
  return lines.flatMap((line) => ("started" in line && !ended.has(callOf(line)) ? [callOf(line)] : []));
}
