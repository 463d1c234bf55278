import type { AssistantMessage } from "@mdx-ai/models";
import type { CompactionOutcome } from "./compact.ts";

/** The outcome of a compaction with what its answer cost, in US dollars, where `spend` knows. */
export async function pricedOutcome(
  outcome: CompactionOutcome,
  spend: (answer: AssistantMessage) => Promise<number | undefined>,
): Promise<CompactionOutcome> {
  if (!outcome.answer) return outcome;
  const cost = await spend(outcome.answer);
  return cost === undefined ? outcome : { ...outcome, answer: { ...outcome.answer, cost } };
}
