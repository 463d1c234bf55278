import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import { readStep } from "../step-kinds.ts";
import { numberedStep } from "../step-names.ts";

/** Whether a line holds a summary of older messages, or an attempt at one. */
export function isSummaryLine({ prompt, step }: JournalLine): boolean {
  const { kind } = readStep(step);
  return kind === "compaction" || (kind === "sessionCompaction" && prompt === 0);
}

/** Of the lines of a session's own steps those that put these inputs into the queue. */
export const queueLines = (own: readonly JournalLine[], numbers: ReadonlySet<number>): readonly JournalLine[] =>
  own.filter(({ step }) => {
    const { kind, number } = readStep(step);
    return kind === "queue" && numbers.has(number);
  });

/**
 * Of the lines of a session's own steps those that still matter when another file continues the journal. No number of the
 * queue is given twice, also if the input that had the highest is gone.
 */
export function lastingSteps(own: readonly JournalLine[], waiting: ReadonlySet<number>): readonly JournalLine[] {
  const others: JournalLine[] = [];
  const newest = new Map<string, JournalLine>();
  let highest = 0;
  for (const line of own) {
    const { kind, number } = readStep(line.step);
    if (kind === "queue" || kind === "unqueue") highest = Math.max(highest, number);
    else if (kind === "head" || kind === "agent") newest.set(kind, line);
    else if (!isSummaryLine(line)) others.push(line);
  }
  const lines = [...others, ...newest.values(), ...queueLines(own, waiting)];
  if (highest === 0 || waiting.has(highest)) return lines;
  return [...lines, { v: JOURNAL_VERSION, prompt: 0, step: numberedStep("unqueue", highest), result: {} }];
}
