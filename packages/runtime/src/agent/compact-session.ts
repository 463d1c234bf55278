import { type AssistantMessage, ModelError } from "@mdx-ai/models";
import { type CompactOptions, compact } from "../context/compact.ts";
import { isCompaction } from "../context/compaction-guard.ts";
import type { Session } from "../session/session.ts";
import { addAnswer, noSpending } from "../spending/spending.ts";
import { sessionCompactionStep } from "../step-names.ts";
import type { Compaction } from "../types/compaction.ts";

/** There is nothing that a summary could replace. */
class NothingToReplaceError extends Error {
  override readonly name = "NothingToReplaceError";
}

/**
 * Has a session's older messages summarised, as a step of the session itself. Resolves to undefined where there is nothing
 * to replace. Rejects with `ModelError`; nothing is journaled then.
 */
export async function compactSession(
  session: Session,
  options: CompactOptions,
  spend: (answer: AssistantMessage) => Promise<number | undefined>,
): Promise<Compaction | undefined> {
  const { conversation } = session;
  const summarise = async (onDisk: () => Promise<void>): Promise<Compaction> => {
    const outcome = await compact(conversation, { ...options, ready: onDisk() });
    if (!outcome) throw new NothingToReplaceError();
    const cost = outcome.answer && (await spend(outcome.answer));
    if (!isCompaction(outcome)) throw new ModelError(`the history could not be summarised: ${outcome.reason}`);
    return cost === undefined ? outcome : { ...outcome, answer: { ...outcome.answer, cost } };
  };
  const step = sessionCompactionStep(conversation.messages.length);
  try {
    const compaction = await session.ownStep(step, summarise, { accepts: isCompaction, eager: true });
    if (compaction === conversation.compaction) return undefined;
    conversation.compaction = compaction;
    session.count(addAnswer(noSpending, compaction.answer, compaction.answer.cost));
    return compaction;
  } catch (error) {
    if (error instanceof NothingToReplaceError) return undefined;
    throw error;
  }
}
