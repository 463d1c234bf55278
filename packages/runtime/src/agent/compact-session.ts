import { type AssistantMessage, ModelError } from "@mdx-ai/models";
import { type CompactOptions, compact } from "../context/compact.ts";
import {
  type CompactionOutcome,
  isCompaction,
  isCompactionOutcome,
  pricedOutcome,
} from "../context/compaction-outcome.ts";
import { lengthOf } from "../context/sent-messages.ts";
import type { StepContext } from "../loop/host.ts";
import type { Session } from "../session/session.ts";
import { addAnswer, noSpending } from "../spending/spending.ts";
import { sessionCompactionStep } from "../step-names.ts";
import type { Compaction } from "../types/compaction.ts";

/** There is nothing that a summary could replace. */
class NothingToReplaceError extends Error {
  override readonly name = "NothingToReplaceError";
}

/** The outcome of a step, and whether this process ran it. */
interface Tried {
  readonly outcome: CompactionOutcome;
  readonly isNew: boolean;
}

/**
 * Has a session's older messages summarised, as a step of the session itself. Resolves to undefined if there is nothing
 * to replace. Rejects with `ModelError`; what the answer cost is journaled then, too.
 */
export async function compactSession(
  session: Session,
  options: CompactOptions,
  spend: (answer: AssistantMessage) => Promise<number | undefined>,
): Promise<Compaction | undefined> {
  const { conversation } = session;
  const tried = await firstUse(async (number): Promise<Tried> => {
    let isNew = false;
    const step = sessionCompactionStep({ messages: lengthOf(conversation), rewinds: session.rewinds }, number);
    const summarise = async ({ flushed }: StepContext): Promise<CompactionOutcome> => {
      isNew = true;
      const outcome = await compact(conversation, { ...options, ready: flushed() });
      // Nothing is journaled then.
      if (!outcome) throw new NothingToReplaceError();
      return pricedOutcome(outcome, spend);
    };
    const outcome = await session.ownStep(step, summarise, { accepts: isCompactionOutcome, deferFlush: true });
    return { outcome, isNew };
  });
  if (tried === undefined || tried.outcome === conversation.compaction) return undefined;
  const { outcome, isNew } = tried;
  if (isNew && outcome.answer) session.count(addAnswer(noSpending, outcome.answer, outcome.answer.cost));
  if (!isCompaction(outcome)) throw new ModelError(`the history could not be summarised: ${outcome.reason}`);
  conversation.compaction = outcome;
  return outcome;
}

/** Tries until one gives a summary or is a new one: those that failed earlier are past. */
async function firstUse(attempt: (number: number) => Promise<Tried>): Promise<Tried | undefined> {
  try {
    for (let number = 1; ; number++) {
      const tried = await attempt(number);
      if (tried.isNew || isCompaction(tried.outcome)) return tried;
    }
  } catch (error) {
    if (error instanceof NothingToReplaceError) return undefined;
    throw error;
  }
}
