import { isAmount, isList, isRecord } from "@mdx-ai/base";
import { type AssistantMessage, isAssistantMessage, isTime, isUserMessage } from "@mdx-ai/models";
import type { Compaction } from "../types/compaction.ts";

/** Why compaction failed, with the model's answer, if any. */
export interface CompactionFailure {
  readonly reason: string;
  readonly answer?: AssistantMessage;
}

/** JSON; `isCompaction` distinguishes the two. */
export type CompactionOutcome = Compaction | CompactionFailure;

/** Whether a parsed JSON value is a `Compaction`. Additional fields are allowed. */
export function isCompaction(value: unknown): value is Compaction {
  return (
    isRecord(value) &&
    typeof value["summary"] === "string" &&
    ["replaced", "made", "before", "after"].every((name) => isAmount(value[name])) &&
    isTime(value["timestamp"]) &&
    (value["measured"] === "provider" || value["measured"] === "estimate") &&
    isUserMessage(value["message"]) &&
    isList(value["kept"], isKept) &&
    isAssistantMessage(value["answer"])
  );
}

/** Whether a parsed JSON value is a `CompactionOutcome`. */
export function isCompactionOutcome(value: unknown): value is CompactionOutcome {
  return isCompaction(value) || isFailure(value);
}

function isFailure(value: unknown): value is CompactionFailure {
  return (
    isRecord(value) &&
    typeof value["reason"] === "string" &&
    (value["answer"] === undefined || isAssistantMessage(value["answer"]))
  );
}

function isKept(value: unknown): boolean {
  if (!isRecord(value) || (value["kind"] !== "input" && value["kind"] !== "skill")) return false;
  return isUserMessage({ role: "user", content: value["content"], timestamp: 0 });
}

/** Adds the cost of the answer in US dollars, if `spend` knows it. */
export async function pricedOutcome(
  outcome: CompactionOutcome,
  spend: (answer: AssistantMessage) => Promise<number | undefined>,
): Promise<CompactionOutcome> {
  if (!outcome.answer) return outcome;
  const cost = await spend(outcome.answer);
  return cost === undefined ? outcome : { ...outcome, answer: { ...outcome.answer, cost } };
}
