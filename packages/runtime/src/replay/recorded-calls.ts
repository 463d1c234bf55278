import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  type ToolCall,
  type ToolResultMessage,
} from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { type CallDecision, isPolicyResult } from "../loop/decide-calls.ts";
import { callSteps, isModelStep, isPolicyStep, turnOf } from "../step-names.ts";

/** A tool call of a recorded prompt. */
export interface RecordedCall {
  readonly step: string;
  readonly call: ToolCall;
  /** Absent if it was not answered. */
  readonly result: ToolResultMessage | undefined;
  /** What the policy decided; absent if the recording does not say. */
  readonly decision: CallDecision | undefined;
}

/** The calls of a prompt in their order. */
export function recordedCalls(lines: readonly JournalLine[]): readonly RecordedCall[] {
  const results = new Map(lines.flatMap((line) => ("result" in line ? [[line.step, line.result] as const] : [])));
  const policies = new Map(
    [...results].flatMap(([step, result]) =>
      isPolicyStep(step) && isPolicyResult(result) ? [[step.slice(step.indexOf(":") + 1), result.calls] as const] : [],
    ),
  );
  return finishedAnswers(lines).flatMap(({ turn, message }) =>
    callSteps(message, turn).map(({ call, step }, index) => {
      const result = results.get(step);
      const decision = policies.get(turn)?.[index];
      return { call, step, result: isToolResultMessage(result) ? result : undefined, decision };
    }),
  );
}

/** An answer whose calls were run, or refused. */
export interface FinishedAnswer {
  readonly step: string;
  readonly turn: string;
  readonly message: AssistantMessage;
}

/** Of the attempts of each turn the last, if it did not break off. */
export function finishedAnswers(lines: readonly JournalLine[]): readonly FinishedAnswer[] {
  const answers = new Map<string, FinishedAnswer>();
  for (const line of lines) {
    if (!("result" in line) || !isModelStep(line.step) || !isAssistantMessage(line.result)) continue;
    const turn = turnOf(line.step);
    answers.set(turn, { step: line.step, turn, message: line.result });
  }
  return [...answers.values()].filter(
    ({ message: { stopReason } }) => stopReason !== "error" && stopReason !== "aborted",
  );
}
