import { isAssistantMessage, isToolResultMessage, isUserMessage } from "@mdx-ai/models";
import { isRecord } from "@mdx-ai/parser/record";
import { isCompactionOutcome } from "../context/compaction-outcome.ts";
import { isDelivery } from "../hosts/inbox.ts";
import { isPermissionDecision, isWait } from "../hosts/local-host.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isMeasuredRequest } from "../loop/context-room.ts";
import { isPolicyResult } from "../loop/decide-calls.ts";
import { isPromptBegin, isPromptEnd } from "../loop/plan.ts";
import { isAddedContext } from "../loop/run-prompt.ts";
import { readStep, type StepKind } from "../step-kinds.ts";

/** What the loop accepts as the result of a step, for the steps of a prompt that it reads. */
const GUARDS: Partial<Record<StepKind, (result: unknown) => boolean>> = {
  begin: isPromptBegin,
  input: isUserMessage,
  beforePrompt: isAddedContext,
  model: isAssistantMessage,
  retry: isWait,
  compaction: isCompactionOutcome,
  compactionRetry: isWait,
  size: isMeasuredRequest,
  policy: isPolicyResult,
  permission: isPermissionDecision,
  tool: isToolResultMessage,
  afterTool: isRecord,
  deliver: isDelivery,
  afterPrompt: isRecord,
  end: isPromptEnd,
};

/** Whether the loop can read the result of a line; true for a line that has none. Pure. */
export function isReadable(line: JournalLine): boolean {
  return !("result" in line) || GUARDS[readStep(line.step).kind]?.(line.result) !== false;
}
