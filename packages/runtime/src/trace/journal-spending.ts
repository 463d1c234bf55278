import { type AssistantMessage, isAssistantMessage } from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-guard.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { spendingOf } from "../spending/spending.ts";
import { isCompactionStep, isModelStep } from "../step-names.ts";
import type { Spending } from "../types/event.ts";
import { knownCost, knownLatency } from "./model-trace.ts";

/** What the answers in these lines came to. */
export const journalSpending = (lines: readonly JournalLine[]): Spending => {
  const answers = lines.flatMap(answersOf).map((message) => ({
    usage: message.usage,
    latency: knownLatency(message) ?? 0,
    cost: knownCost(message),
  }));
  return spendingOf(answers, ({ cost }) => cost);
};

function answersOf(line: JournalLine): readonly AssistantMessage[] {
  if (!("result" in line)) return [];
  const { step, result } = line;
  if (isModelStep(step)) return isAssistantMessage(result) ? [result] : [];
  return isCompactionStep(step) && isCompactionOutcome(result) && result.answer ? [result.answer] : [];
}
