import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  isUserMessage,
  type Message,
} from "@mdx-ai/models";
import { isCompaction, isCompactionOutcome } from "../context/compaction-guard.ts";
import { fits } from "../context/sent-messages.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { spendingOf } from "../spending/spending.ts";
import { callSteps, isCompactionStep, isModelStep, turnOf } from "../step-names.ts";
import type { Compaction, Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";

/** What a journal tells of a session. */
export interface Transcript {
  /** The messages of the prompts that have ended, in the order in which a provider accepts them, and their newest summary. */
  readonly conversation: Conversation;
  /** What the answers came to, those that failed and those with summaries included; without an interrupted prompt. */
  readonly spending: Spending;
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
  const messages = ended.flatMap(([, promptLines]) => promptMessages(promptLines));
  const closed = isOpen ? lines.filter(({ prompt }) => prompt !== lastPrompt) : lines;
  return {
    conversation: { messages, compaction: newestCompaction(closed, messages.length) },
    spending: spendingOf(closed.flatMap(answerOf), ({ cost }) => cost),
    lastPrompt,
    interrupted: isOpen ? last : undefined,
    own: prompts.get(0) ?? [],
  };
}

/** The answer that a step brought. */
function answerOf(line: JournalLine): readonly AssistantMessage[] {
  if (!("result" in line)) return [];
  if (isModelStep(line.step)) return isAssistantMessage(line.result) ? [line.result] : [];
  return isCompactionStep(line.step) && isCompactionOutcome(line.result) && line.result.answer
    ? [line.result.answer]
    : [];
}

/** The newest that so many messages can have; what does not fit them would hide messages that it does not stand for. */
function newestCompaction(lines: readonly JournalLine[], messages: number): Compaction | undefined {
  for (const line of lines.toReversed()) {
    if (!("result" in line) || !isCompactionStep(line.step)) continue;
    if (isCompaction(line.result) && fits(line.result, messages)) return line.result;
  }
  return undefined;
}

/** The messages of one prompt. Results are journaled as tools end; a provider wants them in the order of the calls. */
function promptMessages(lines: readonly JournalLine[]): Message[] {
  const results = lines.flatMap((line) => ("result" in line ? [line] : []));
  const byStep = new Map(results.map((line) => [line.step, line.result]));
  const answers = new Set(lastAttempts(results.map(({ step }) => step)));
  return results.flatMap(({ step, result }): Message[] => {
    if (isUserMessage(result)) return [result];
    return answers.has(step) && isAssistantMessage(result) ? [result, ...toolResults(result, step, byStep)] : [];
  });
}

/** Of the attempts of a turn the last gave the answer; those before it failed. */
function lastAttempts(steps: readonly string[]): Iterable<string> {
  const models = steps.filter(isModelStep);
  return new Map(models.map((step) => [turnOf(step), step])).values();
}

function toolResults(message: AssistantMessage, step: string, results: ReadonlyMap<string, unknown>): Message[] {
  return callSteps(message, turnOf(step)).flatMap((call) => {
    const result = results.get(call.step);
    return isToolResultMessage(result) ? [result] : [];
  });
}
