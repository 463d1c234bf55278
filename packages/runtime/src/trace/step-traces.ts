import type { AssistantMessage, ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { isCompaction } from "../context/compaction-outcome.ts";
import type { Attempt, CallHistory, PromptHistory, Summary, TurnHistory, TurnStep } from "../history/prompt-history.ts";
import { isInterrupted } from "../loop/unrun-call.ts";
import { costOf, latencyOf } from "../usage/cost.ts";
import type {
  TraceCall,
  TraceCompaction,
  TraceModel,
  TraceStep,
  TraceTool,
  TraceToolState,
  TraceTurn,
} from "./trace.ts";

/** The trace of a turn of a prompt. */
export function turnTrace(turn: TurnHistory, prompt: PromptHistory): TraceTurn {
  const steps: TraceStep[] = [];
  /** The attempt that failed and that no wait followed: the next one is another model's. */
  let failed: AssistantMessage | undefined;
  for (const step of turn.steps) {
    if (step.type === "attempt") {
      const { message } = step;
      if (failed) steps.push({ type: "fallback", from: fullName(failed), to: fullName(message) });
      failed = message.stopReason === "error" ? message : undefined;
    } else if (step.type === "wait" && !step.isForSummary) failed = undefined;
    steps.push(...stepTraces(step, turn));
  }
  return { number: turn.number, steps: [...steps, ...toolTraces(turn, prompt)] };
}

function stepTraces(step: TurnStep, { answer }: TurnHistory): readonly TraceStep[] {
  switch (step.type) {
    case "attempt":
      return [modelTrace(step, step === answer)];
    case "summary":
      return [compactionTrace(step)];
    case "wait":
      return step.delay === undefined ? [] : [{ type: "retry", step: step.step, delay: step.delay }];
  }
}

/** Reasons after which an answer is of no use. */
const FAILED: readonly string[] = ["error", "aborted", "contextExceeded"];

/** An attempt of a turn; unless it failed, the last gave the answer. */
function modelTrace({ step, message }: Attempt, isLast: boolean): TraceModel {
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

/** An attempt at a summary. */
export function compactionTrace({ step, outcome }: Pick<Summary, "step" | "outcome">): TraceCompaction {
  const call = outcome.answer && { call: callTrace(outcome.answer) };
  if (!isCompaction(outcome)) return { type: "compaction", step, error: outcome.reason, ...call };
  const { before, after, measured } = outcome;
  return { type: "compaction", step, gain: { before, after, measured }, ...call };
}

function callTrace(message: AssistantMessage): TraceCall {
  const { provider, model, timestamp, usage } = message;
  const [latency, usd] = [latencyOf(message), costOf(message)];
  return {
    provider,
    model,
    at: timestamp,
    ...(latency !== undefined && { latency }),
    usage,
    ...(usd !== undefined && { usd }),
  };
}

/** The calls of a turn. The time of a call that ended after a later process had resumed the prompt includes the wait for that process. */
function toolTraces({ answer, calls }: TurnHistory, { begin, resumptions }: PromptHistory): readonly TraceTool[] {
  if (answer === undefined) return [];
  const { message } = answer;
  const resumedAt = Math.min(
    ...calls.flatMap(({ result }) => (result && isInterrupted(result) ? [result.timestamp] : [])),
    ...resumptions.flatMap(({ at = 0 }) => (at > message.timestamp ? [at] : [])),
  );
  const origins = new Map(begin?.plan?.tools.map(({ wire, origin }) => [wire, origin]));
  return calls.map((one) => {
    const origin = origins.get(one.call.name);
    const outcome = one.result && outcomeOf(one.result, message, resumedAt);
    return {
      type: "tool",
      step: one.step,
      name: one.call.name,
      ...(origin !== undefined && { origin }),
      arguments: one.call.arguments,
      ...permissionOf(one),
      ...(outcome ?? { state: one.isStarted ? "started" : "waiting" }),
    };
  });
}

function permissionOf({ decision, approval }: CallHistory): Pick<TraceTool, "permission" | "decision"> {
  const isDenied = typeof decision === "object" && "deny" in decision;
  const action = isDenied ? "deny" : approval?.action;
  return {
    ...(action !== undefined && { permission: action === "allow" ? "given" : "refused" }),
    ...(decision !== undefined && { decision }),
  };
}

/** Milliseconds by which the clock of messages may run behind the one of latencies. */
const CLOCK_TOLERANCE = 10;

function outcomeOf(
  result: ToolResultMessage,
  message: AssistantMessage,
  resumedAt: number,
): Pick<TraceTool, "state" | "result" | "endedAt" | "duration"> {
  const latency = latencyOf(message);
  const isKnown = latency !== undefined && result.timestamp < resumedAt;
  const duration = isKnown ? result.timestamp - message.timestamp - latency : Number.NaN;
  return {
    state: stateOf(result),
    result: contentText(result.content),
    endedAt: result.timestamp,
    ...(duration >= -CLOCK_TOLERANCE && { duration: Math.max(0, duration) }),
  };
}

function stateOf(result: ToolResultMessage): TraceToolState {
  if (isInterrupted(result)) return "interrupted";
  return result.isError ? "error" : "done";
}

const fullName = ({ provider, model }: AssistantMessage): string => `${provider}/${model}`;
