import type { PromptHistory } from "../history/prompt-history.ts";
import { readPrompts } from "../history/read-prompt.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import type { CallStep } from "../step-names.ts";

/** A tool call without a result in a prompt that has ended: no provider accepts that. */
export interface DanglingCall extends CallStep {
  readonly prompt: number;
  /** The time of the answer that makes the call, in milliseconds since 1970. */
  readonly calledAt: number;
}

/** Finds them, in the order of the prompts. Pure. */
export const danglingCalls = (lines: readonly JournalLine[]): readonly DanglingCall[] =>
  readPrompts(lines).flatMap(danglingOf);

const danglingOf = ({ number: prompt, hasEnded, turns }: PromptHistory): readonly DanglingCall[] =>
  turns.flatMap(({ answer, calls }) => {
    if (!hasEnded || answer === undefined) return [];
    const dangling = calls.filter(({ result }) => result === undefined);
    return dangling.map(({ call, step }) => ({ prompt, call, step, calledAt: answer.message.timestamp }));
  });
