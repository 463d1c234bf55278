import { contentText } from "../content-text.ts";
import { readPrompt } from "../history/read-prompt.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import type { LeftoverPrompt, Spending } from "../types/event.ts";

/** A prompt that a crash cut short. */
export interface InterruptedPrompt extends LeftoverPrompt {
  readonly state: "interrupted";
  /** Absent if its beginning is lost. */
  readonly id?: string;
  /** The models of its plan, each as `provider/name`. */
  readonly models: readonly string[];
  /** Its usage and cost until then. */
  readonly spending: Spending;
  /** How many of the last processes that resumed it did not get to the next step. */
  readonly failedResumes: number;
  /** How often it was resumed in all. */
  readonly resumes: number;
}

/** What the lines of a prompt without an end say of it. */
export function interruptedPrompt(lines: readonly JournalLine[]): InterruptedPrompt {
  const { number, begin, turns, spending, failedResumes, resumptions } = readPrompt(lines);
  const id = begin?.id;
  const calls = turns.flatMap((turn) => turn.calls);
  return {
    prompt: number,
    ...(id !== undefined && { id }),
    input: contentText(begin?.message.content ?? []),
    state: "interrupted",
    models: begin?.plan?.models.map(({ provider, name: model }) => `${provider}/${model}`) ?? [],
    tools: calls.flatMap(({ call, isStarted, result }) => (isStarted && result === undefined ? [call.name] : [])),
    spending,
    failedResumes,
    resumes: resumptions.length,
  };
}
