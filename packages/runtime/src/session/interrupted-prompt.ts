import { isAssistantMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { firstInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { callSteps, isModelStep, isResumeStep, turnOf } from "../step-names.ts";
import type { LeftoverPrompt, Spending } from "../types/event.ts";
import { spendingOfLines } from "./transcript.ts";

/** A prompt that a crash cut short. */
export interface InterruptedPrompt extends LeftoverPrompt {
  readonly state: "interrupted";
  /** What it came to until then. */
  readonly spending: Spending;
  /** How often a later process went on with it and did not come to the next step. */
  readonly failedResumes: number;
  /** How often one went on in all. */
  readonly resumes: number;
}

/** What the lines of a prompt without an end tell of it. */
export function interruptedPrompt(lines: readonly JournalLine[]): InterruptedPrompt {
  const steps = lines.map(({ step }) => step);
  const lastProgress = steps.findLastIndex((step) => !isResumeStep(step));
  return {
    prompt: lines[0]?.prompt ?? 0,
    input: inputText(lines),
    state: "interrupted",
    tools: runningTools(lines),
    spending: spendingOfLines(lines),
    failedResumes: steps.length - 1 - lastProgress,
    resumes: steps.filter(isResumeStep).length,
  };
}

function inputText(lines: readonly JournalLine[]): string {
  return contentText(firstInput(lines)?.content ?? []);
}

/** The tools that were started and did not end. */
function runningTools(lines: readonly JournalLine[]): readonly string[] {
  const ended = new Set(lines.flatMap((line) => ("result" in line ? [line.step] : [])));
  const running = new Set(lines.flatMap(({ step }) => (ended.has(step) ? [] : [step])));
  return lines.flatMap((line) => {
    if (!("result" in line) || !isModelStep(line.step) || !isAssistantMessage(line.result)) return [];
    return callSteps(line.result, turnOf(line.step)).flatMap(({ call, step }) =>
      running.has(step) ? [call.name] : [],
    );
  });
}
