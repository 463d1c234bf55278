import type { AssistantMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { CompactionOutcome } from "../context/compact.ts";
import { isCompaction } from "../context/compaction-guard.ts";
import type { TraceCall, TraceCompaction, TraceModel } from "./trace.ts";

/** Reasons after which an answer is nothing to go on with. */
const FAILED: readonly string[] = ["error", "aborted", "contextExceeded"];

/** An attempt of a turn; `isLast` of them gave the answer, unless it failed. */
export function modelTrace(step: string, message: AssistantMessage, isLast: boolean): TraceModel {
  const { stopReason, content, errorMessage, failure } = message;
  return {
    type: "model",
    step,
    ...callTrace(message),
    stopReason,
    isFailed: !isLast || FAILED.includes(stopReason),
    text: contentText(content),
    ...(errorMessage !== undefined && { error: errorMessage }),
    ...(typeof failure?.status === "number" && { status: failure.status }),
  };
}

/** A try to summarise. */
export function compactionTrace(step: string, outcome: CompactionOutcome): TraceCompaction {
  const call = outcome.answer && { call: callTrace(outcome.answer) };
  if (!isCompaction(outcome)) return { type: "compaction", step, error: outcome.reason, ...call };
  const { before, after, measured } = outcome;
  return { type: "compaction", step, gain: { before, after, measured }, ...call };
}

function callTrace(message: AssistantMessage): TraceCall {
  const { provider, model, timestamp, usage } = message;
  const [latency, usd] = [knownLatency(message), knownCost(message)];
  return {
    provider,
    model,
    at: timestamp,
    ...(latency !== undefined && { latency }),
    usage,
    ...(usd !== undefined && { usd }),
  };
}

/** Guards of messages let any value pass here, and journals may have been edited. */
export const knownLatency = ({ latency }: AssistantMessage): number | undefined => numberOrNothing(latency);

/** What an answer cost, where the journal says so. */
export const knownCost = ({ cost }: AssistantMessage): number | undefined => numberOrNothing(cost);

const numberOrNothing = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
