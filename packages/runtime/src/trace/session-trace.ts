import { isCompactionOutcome } from "../context/compaction-guard.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isCompactionStep } from "../step-names.ts";
import { journalSpending } from "./journal-spending.ts";
import { compactionTrace } from "./model-trace.ts";
import { promptTrace } from "./prompt-trace.ts";
import { TRACE_VERSION, type Trace, type TraceSessionCompaction } from "./trace.ts";

/** What is known of a journal. */
export interface JournalText {
  /** In the order in which they were written. */
  readonly lines: readonly JournalLine[];
  /** The numbers of lines that could not be read, from 1. */
  readonly unreadableLines: readonly number[];
}

/** The trace of a session, of its journal. Pure; never throws, whatever the results of the lines are. */
export function sessionTrace(session: string, { lines, unreadableLines }: JournalText): Trace {
  const prompts = Map.groupBy(lines, ({ prompt }) => prompt);
  const compactions = sessionCompactions(lines);
  const known = new Set(compactions.map(({ step }) => step));
  const own = new Set(prompts.get(0)?.map(({ step }) => step));
  return {
    version: TRACE_VERSION,
    session,
    spending: journalSpending(lines),
    prompts: [...prompts]
      .filter(([number]) => number > 0)
      .sort(([one], [other]) => one - other)
      .map(([number, promptLines]) => promptTrace(number, promptLines)),
    compactions,
    otherSteps: [...own].filter((step) => !known.has(step)),
    unreadableLines,
  };
}

function sessionCompactions(lines: readonly JournalLine[]): TraceSessionCompaction[] {
  let afterPrompt = 0;
  return lines.flatMap((line) => {
    afterPrompt = Math.max(afterPrompt, line.prompt);
    if (line.prompt !== 0 || !("result" in line) || !isCompactionStep(line.step)) return [];
    return isCompactionOutcome(line.result) ? [{ ...compactionTrace(line.step, line.result), afterPrompt }] : [];
  });
}
