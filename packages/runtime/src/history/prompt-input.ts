import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPromptBegin, type PromptBegin, type PromptPlan } from "../loop/plan.ts";
import { BEGIN_STEP, isInputStep, queuedNumber } from "../step-names.ts";

/** How a prompt began. */
export interface PromptInput {
  readonly message: UserMessage;
  /** The number of the input in the session's queue, if it waited there. */
  readonly queued?: number;
  /** The prompt's id and plan; absent in journals of version 1. */
  readonly id?: string;
  readonly plan?: PromptPlan;
}

/** How a prompt began, if a line says so. */
export function promptInput(line: JournalLine): PromptInput | undefined {
  if (line.prompt === 0 || !("result" in line) || !isInputStep(line.step)) return undefined;
  if (line.step === BEGIN_STEP) return isPromptBegin(line.result) ? beginning(line.result) : undefined;
  const queued = queuedNumber(line.step);
  if (!isUserMessage(line.result)) return undefined;
  return { message: line.result, ...(queued !== undefined && { queued }) };
}

const beginning = ({ input: message, queued, id, plan }: PromptBegin): PromptInput => ({
  message,
  id,
  plan,
  ...(queued !== undefined && { queued }),
});

/** How the first prompt in these lines began, those of a branch that was left by going back included. */
export const firstInput = (lines: readonly JournalLine[]): UserMessage | undefined => {
  for (const line of lines) {
    const input = promptInput(line);
    if (input) return input.message;
  }
  return undefined;
};
