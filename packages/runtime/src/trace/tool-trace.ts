import { type AssistantMessage, isToolResultMessage, type ToolResultMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { isPermissionDecision } from "../hosts/local-host.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { type CallDecision, isPolicyResult } from "../loop/decide-calls.ts";
import { isInterrupted } from "../loop/unrun-call.ts";
import { callSteps, permissionStep, policyStep } from "../step-names.ts";
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
  const started = new Set(lines.flatMap((line) => ("started" in line ? [line.step] : [])));
  const results = new Map(lines.flatMap((line) => ("result" in line ? [[line.step, line.result] as const] : [])));
  const policy = results.get(policyStep(turn));
  const decisions = isPolicyResult(policy) ? policy.calls : [];
  const calls = callSteps(message, turn).map(({ call, step }, index) => {
    const result = results.get(step);
    return { call, step, result: isToolResultMessage(result) ? result : undefined, decision: decisions[index] };
  });
  const resumedAt = Math.min(
    ...calls.flatMap(({ result }) => (result && isInterrupted(result) ? [result.timestamp] : [])),
    ...resumptions.flatMap(({ at }) => (at > message.timestamp ? [at] : [])),
  );
  return calls.map(({ call, step, result, decision }) => ({
    type: "tool",
    step,
    name: call.name,
    arguments: call.arguments,
    ...permissionOf(results.get(permissionStep(step)), decision),
    ...(result ? outcomeOf(result, message, resumedAt) : { state: started.has(step) ? "started" : "waiting" }),
  }));
}

function permissionOf(decision: unknown, policy: CallDecision | undefined): Pick<TraceTool, "permission"> {
  if (typeof policy === "object" && "deny" in policy) return { permission: "refused" };
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
