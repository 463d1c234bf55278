import { isAssistantMessage, isToolResultMessage, isUserMessage, type ToolResultMessage } from "@mdx-ai/models";
import { isRecord } from "@mdx-ai/parser/record";
import { isCompactionOutcome } from "../context/compaction-outcome.ts";
import { isDelivery } from "../hosts/inbox.ts";
import { isJournaledDecision } from "../hosts/journaled-decision.ts";
import { isWait } from "../hosts/local-host.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isMeasuredRequest } from "../loop/context-room.ts";
import { isPolicyResult } from "../loop/decide-calls.ts";
import { isPromptBegin, isPromptEnd } from "../loop/plan.ts";
import { isAddedContext } from "../loop/run-prompt.ts";
import { readStep, type StepKind } from "../step-kinds.ts";
import { isStepOf } from "../step-names.ts";

/** Whether a value that came out of JSON is the result of the very call that a step answers. */
export const isCallResult = (value: unknown, step: string): value is ToolResultMessage =>
  isToolResultMessage(value) && isStepOf(step, value.toolCallId);

/** The valid results, for the steps from which a prompt is resumed. */
const GUARDS: Partial<Record<StepKind, (result: unknown, step: string) => boolean>> = {
  begin: isPromptBegin,
  input: isUserMessage,
  beforePrompt: isAddedContext,
  model: isAssistantMessage,
  retry: isWait,
  compaction: isCompactionOutcome,
  compactionRetry: isWait,
  size: isMeasuredRequest,
  policy: isPolicyResult,
  permission: isJournaledDecision,
  tool: isCallResult,
  afterTool: isRecord,
  steer: isUserMessage,
  deliver: isDelivery,
  afterPrompt: isRecord,
  end: isPromptEnd,
};

/** Whether the result of a line can be one of its step; true for a line that has none. Pure. */
export function isReadable(line: JournalLine): boolean {
  return !("result" in line) || GUARDS[readStep(line.step).kind]?.(line.result, line.step) !== false;
}
