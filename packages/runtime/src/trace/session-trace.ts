import { isCompactionOutcome } from "../context/compaction-guard.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { LIVE_JOURNAL } from "../session/journal-paths.ts";
import { isCompactionStep } from "../step-names.ts";
import { agentChangeTrace } from "./agent-change-trace.ts";
import { journalSpending } from "./journal-spending.ts";
import { compactionTrace } from "./model-trace.ts";
import { ownLines } from "./own-line.ts";
import { promptTrace } from "./prompt-trace.ts";
import { queueTrace } from "./queue-trace.ts";
import { rewindTrace } from "./rewind-trace.ts";
import { TRACE_VERSION, type Trace } from "./trace.ts";

/** What is known of a journal. */
export interface JournalText {
  /** Its name in the session's folder. */
  readonly file: string;
  /** In the order in which they were written. */
  readonly lines: readonly JournalLine[];
  /** The numbers of lines that could not be read, from 1. */
  readonly unreadableLines: readonly number[];
}

/**
 * The trace of a session, of its journals in the order in which they were written. Pure; never throws, whatever the results
 * of the lines are.
 */
export function sessionTrace(session: string, journals: readonly JournalText[]): Trace {
  const lines = journals.flatMap((journal) => journal.lines);
  const prompts = Map.groupBy(lines, ({ prompt }) => prompt);
  const own = ownLines(lines);
  const compactions = own.flatMap(({ line, afterPrompt }) => {
    if (!("result" in line) || !isCompactionStep(line.step)) return [];
    return isCompactionOutcome(line.result) ? [{ ...compactionTrace(line.step, line.result), afterPrompt }] : [];
  });
  const rewinds = own.flatMap(rewindTrace);
  const { queued, known } = queueTrace(own, lines);
  const { changes: agentChanges, known: agents } = agentChangeTrace(own);
  const told = new Set([...[...compactions, ...rewinds].map(({ step }) => step), ...known, ...agents]);
  return {
    version: TRACE_VERSION,
    session,
    spending: journalSpending(lines),
    prompts: [...prompts]
      .filter(([number]) => number > 0)
      .sort(([one], [other]) => one - other)
      .map(([number, promptLines]) => promptTrace(number, promptLines)),
    compactions,
    rewinds,
    queued,
    agentChanges,
    otherSteps: [...new Set(own.map(({ line }) => line.step))].filter((step) => !told.has(step)),
    unreadableLines: journals.flatMap((journal) => (journal.file === LIVE_JOURNAL ? journal.unreadableLines : [])),
    damage: journals.flatMap(({ file, unreadableLines }) => unreadableLines.map((line) => ({ file, line }))),
  };
}
