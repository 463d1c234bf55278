import type { JournalLine } from "./journal-line.ts";

/** The results that lines of a prompt hold, by their steps; of several of one step the last. */
export const stepResults = (lines: readonly JournalLine[]): Map<string, unknown> =>
  new Map(lines.flatMap((line) => ("result" in line ? [[line.step, line.result] as const] : [])));

/** The steps of which lines of a prompt say that they were started. */
export const startedSteps = (lines: readonly JournalLine[]): ReadonlySet<string> =>
  new Set(lines.flatMap((line) => ("started" in line ? [line.step] : [])));
