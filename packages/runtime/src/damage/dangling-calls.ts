import { type AssistantMessage, isAssistantMessage, isToolResultMessage } from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { type CallStep, callSteps, END_STEP, isModelStep, turnOf } from "../step-names.ts";

/** A tool call without a result in a prompt that has ended: no provider accepts that. */
export interface DanglingCall extends CallStep {
  readonly prompt: number;
  /** The time of the answer that makes the call, in milliseconds since 1970. */
  readonly calledAt: number;
}

/** Finds them, in the order of the prompts. Pure. */
export function danglingCalls(lines: readonly JournalLine[]): DanglingCall[] {
  return [...readPrompts(lines)].flatMap(([prompt, { hasEnded, ...calls }]) =>
    hasEnded ? danglingOf(prompt, calls) : [],
  );
}

/** The calls of a prompt. */
interface PromptCalls {
  /** By their turns; the last attempt of each turn. */
  readonly answers: Map<string, Answer>;
  /** The steps that have a result. */
  readonly answered: Set<string>;
  hasEnded: boolean;
}

interface Answer {
  readonly step: string;
  readonly message: AssistantMessage;
}

/** In one pass, since opening a session waits for it. */
function readPrompts(lines: readonly JournalLine[]): ReadonlyMap<number, PromptCalls> {
  const prompts = new Map<number, PromptCalls>();
  for (const line of lines) {
    if (line.prompt === 0 || !("result" in line)) continue;
    const { prompt, step, result } = line;
    let calls = prompts.get(prompt);
    if (calls === undefined) {
      calls = { answers: new Map(), answered: new Set(), hasEnded: false };
      prompts.set(prompt, calls);
    }
    if (step === END_STEP) calls.hasEnded = true;
    else if (!isModelStep(step)) {
      if (isToolResultMessage(result)) calls.answered.add(step);
    } else if (isAssistantMessage(result)) calls.answers.set(turnOf(step), { step, message: result });
  }
  return prompts;
}

/** Calls of an incomplete answer are not run. */
function danglingOf(prompt: number, { answers, answered }: Omit<PromptCalls, "hasEnded">): DanglingCall[] {
  return [...answers.values()].flatMap(({ step, message }) => {
    if (message.stopReason === "error" || message.stopReason === "aborted") return [];
    const calls = callSteps(message, turnOf(step)).filter((call) => !answered.has(call.step));
    return calls.map((call) => ({ ...call, prompt, calledAt: message.timestamp }));
  });
}
