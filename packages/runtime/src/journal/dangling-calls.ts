import { type AssistantMessage, isAssistantMessage, isToolResultMessage } from "@mdx-ai/models";
import { type CallStep, callSteps, END_STEP, isModelStep, turnOf } from "../step-names.ts";
import type { JournalLine } from "./journal-line.ts";

/** A tool call of a prompt that has ended, without a result: no provider accepts it so. */
export interface DanglingCall extends CallStep {
  readonly prompt: number;
  /** When the answer came that asks for it, in milliseconds since 1970. */
  readonly calledAt: number;
}

/** Finds them, in the order of the prompts. Pure. */
export function danglingCalls(lines: readonly JournalLine[]): DanglingCall[] {
  return [...readPrompts(lines)].flatMap(([prompt, { hasEnded, ...told }]) =>
    hasEnded ? danglingOf(prompt, told) : [],
  );
}

/** What a prompt tells of its calls. */
interface PromptCalls {
  /** The answers that stand, by their turns: of the attempts of a turn the last one. */
  readonly answers: Map<string, Answer>;
  /** The steps that have a result. */
  readonly answered: Set<string>;
  hasEnded: boolean;
}

interface Answer {
  readonly step: string;
  readonly message: AssistantMessage;
}

/** In one pass, since whoever opens a session waits for it. */
function readPrompts(lines: readonly JournalLine[]): ReadonlyMap<number, PromptCalls> {
  const prompts = new Map<number, PromptCalls>();
  for (const line of lines) {
    if (line.prompt === 0 || !("result" in line)) continue;
    const { prompt, step, result } = line;
    let told = prompts.get(prompt);
    if (told === undefined) {
      told = { answers: new Map(), answered: new Set(), hasEnded: false };
      prompts.set(prompt, told);
    }
    if (step === END_STEP) told.hasEnded = true;
    else if (!isModelStep(step)) {
      if (isToolResultMessage(result)) told.answered.add(step);
    } else if (isAssistantMessage(result)) told.answers.set(turnOf(step), { step, message: result });
  }
  return prompts;
}

/** Calls of an answer that broke off are not run. */
function danglingOf(prompt: number, { answers, answered }: Omit<PromptCalls, "hasEnded">): DanglingCall[] {
  return [...answers.values()].flatMap(({ step, message }) => {
    if (message.stopReason === "error" || message.stopReason === "aborted") return [];
    const calls = callSteps(message, turnOf(step)).filter((call) => !answered.has(call.step));
    return calls.map((call) => ({ ...call, prompt, calledAt: message.timestamp }));
  });
}
