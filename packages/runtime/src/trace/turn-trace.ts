import { type AssistantMessage, isAssistantMessage } from "@mdx-ai/models";
import { isCompactionOutcome } from "../context/compaction-guard.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { compactionTrace, modelTrace } from "./model-trace.ts";
import { stepPlace } from "./step-place.ts";
import { toolTraces } from "./tool-trace.ts";
import type { TraceResumption, TraceRetry, TraceStep, TraceTurn } from "./trace.ts";

/** A turn, of the lines of the journal that belong to it, and the times at which processes went on with its prompt. */
export function turnTrace(
  turn: number,
  lines: readonly JournalLine[],
  resumptions: readonly TraceResumption[],
): TraceTurn {
  const attempts = lines.filter((line) => answerOf(line) !== undefined);
  const last = attempts.at(-1);
  const steps: TraceStep[] = [];
  /** The attempt that failed and that no wait followed: the next one is another model's. */
  let given: AssistantMessage | undefined;
  for (const line of lines) {
    const message = answerOf(line);
    if (message && given) steps.push({ type: "fallback", from: fullName(given), to: fullName(message) });
    steps.push(...stepsOf(line, line === last));
    if (message) given = message.stopReason === "error" ? message : undefined;
    if (stepPlace(line.step)?.kind === "retry") given = undefined;
  }
  const answer = last && answerOf(last);
  const ranTools = answer && answer.stopReason !== "error" && answer.stopReason !== "aborted";
  return { number: turn, steps: ranTools ? [...steps, ...toolTraces(answer, { turn, lines, resumptions })] : steps };
}

function answerOf(line: JournalLine): AssistantMessage | undefined {
  if (!("result" in line) || stepPlace(line.step)?.kind !== "model") return undefined;
  return isAssistantMessage(line.result) ? line.result : undefined;
}

/** The step of a line; none for a tool, whose place is behind the others, or for what cannot be read. */
function stepsOf(line: JournalLine, isLast: boolean): readonly TraceStep[] {
  if (!("result" in line)) return [];
  const { step, result } = line;
  switch (stepPlace(step)?.kind) {
    case "model":
      return isAssistantMessage(result) ? [modelTrace(step, result, isLast)] : [];
    case "compaction":
      return isCompactionOutcome(result) ? [compactionTrace(step, result)] : [];
    case "retry":
    case "compactionRetry":
      return retryTrace(step, result);
    case "permission":
    case "policy":
    case "size":
    case "hook":
    case "tool":
    case undefined:
      return [];
  }
}

function retryTrace(step: string, result: unknown): readonly TraceRetry[] {
  const delay = isRecord(result) ? result["delay"] : undefined;
  return typeof delay === "number" ? [{ type: "retry", step, delay }] : [];
}

const fullName = ({ provider, model }: AssistantMessage): string => `${provider}/${model}`;
