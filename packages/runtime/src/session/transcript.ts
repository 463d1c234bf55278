import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  isUserMessage,
  type Message,
} from "@mdx-ai/models";
import type { JournalLine } from "../journal/journal-line.ts";
import { callSteps, turnOf } from "../step-names.ts";

/** What a journal tells of a session. */
export interface Transcript {
  /** The messages of the prompts that have ended, in the order in which a provider accepts them. */
  readonly messages: Message[];
  /** The number of the last prompt; 0 where there was none. */
  readonly lastPrompt: number;
  /** The lines of the last prompt where a crash cut it short. */
  readonly interrupted: readonly JournalLine[] | undefined;
  /** The lines of the session's own steps. */
  readonly own: readonly JournalLine[];
}

/** Reads the lines of a session's journal, in the order in which they were written. */
export function readTranscript(lines: readonly JournalLine[]): Transcript {
  const prompts = Map.groupBy(lines, (line) => line.prompt);
  const lastPrompt = lines.reduce((last, line) => Math.max(last, line.prompt), 0);
  const last = prompts.get(lastPrompt) ?? [];
  const isOpen = lastPrompt > 0 && !last.some((line) => line.step === "end");
  const ended = [...prompts].filter(([prompt]) => prompt > 0 && !(isOpen && prompt === lastPrompt));
  return {
    messages: ended.flatMap(([, promptLines]) => promptMessages(promptLines)),
    lastPrompt,
    interrupted: isOpen ? last : undefined,
    own: prompts.get(0) ?? [],
  };
}

/** The messages of one prompt. Results are journaled as tools end; a provider wants them in the order of the calls. */
function promptMessages(lines: readonly JournalLine[]): Message[] {
  const results = lines.flatMap((line) => ("result" in line ? [line] : []));
  const byStep = new Map(results.map((line) => [line.step, line.result]));
  return results.flatMap(({ step, result }): Message[] => {
    if (isUserMessage(result)) return [result];
    return isAssistantMessage(result) ? [result, ...toolResults(result, step, byStep)] : [];
  });
}

function toolResults(message: AssistantMessage, step: string, results: ReadonlyMap<string, unknown>): Message[] {
  return callSteps(message, turnOf(step)).flatMap((call) => {
    const result = results.get(call.step);
    return isToolResultMessage(result) ? [result] : [];
  });
}
