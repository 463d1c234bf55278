import { type AssistantMessage, isToolResultMessage, type ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { startedSteps, stepResults } from "../journal/step-results.ts";
import { isPermissionDecision } from "../loop/permission.ts";
import { isInterrupted } from "../loop/unrun-call.ts";
import { callSteps, permissionStep } from "../step-names.ts";
import { knownLatency } from "./model-trace.ts";
import type { TraceResumption, TraceTool, TraceToolState } from "./trace.ts";

/** Milliseconds by which the clock of messages may run behind the one of latencies. */
const CLOCK_TOLERANCE = 10;

/** What is known of the turn in which tools were called. */
export interface ToolTurn {
  readonly turn: number;
  readonly lines: readonly JournalLine[];
  /** Of the prompt. */
  readonly resumptions: readonly TraceResumption[];
}

/** The tool calls of the answer of a turn, with what the lines of the turn hold of them. */
export function toolTraces(message: AssistantMessage, { turn, lines, resumptions }: ToolTurn): TraceTool[] {
  const started = startedSteps(lines);
  const results = stepResults(lines);
  const calls = callSteps(message, turn).map(({ call, step }) => {
    const result = results.get(step);
    return { call, step, result: isToolResultMessage(result) ? result : undefined };
  });
  const resumedAt = Math.min(
    ...calls.flatMap(({ result }) => (result && isInterrupted(result) ? [result.timestamp] : [])),
    ...resumptions.flatMap(({ at }) => (at > message.timestamp ? [at] : [])),
  );
  return calls.map(({ call, step, result }) => ({
    type: "tool",
    step,
    name: call.name,
    arguments: call.arguments,
    ...permissionOf(results.get(permissionStep(step))),
    ...(result ? outcomeOf(result, message, resumedAt) : { state: started.has(step) ? "started" : "waiting" }),
  }));
}

function permissionOf(decision: unknown): Pick<TraceTool, "permission"> {
  return isPermissionDecision(decision) ? { permission: decision.verdict === "allow" ? "given" : "refused" } : {};
}

function outcomeOf(
  result: ToolResultMessage,
  message: AssistantMessage,
  resumedAt: number,
): Pick<TraceTool, "state" | "result" | "endedAt" | "duration"> {
  const latency = knownLatency(message);
  // What ended after a later process went on has waited for that process, too.
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
