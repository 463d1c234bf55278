import {
  type AssistantMessage,
  isAssistantMessage,
  isToolResultMessage,
  isUserMessage,
  type Message,
} from "@mdx-ai/models";
import { isCompaction, isCompactionOutcome } from "../context/compaction-guard.ts";
import { fits } from "../context/sent-messages.ts";
import { promptInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isRecord } from "../record.ts";
import { addSpending, spendingOf } from "../spending/spending.ts";
import {
  BEFORE_PROMPT_STEP,
  callSteps,
  isCompactionStep,
  isDeliverStep,
  isInputStep,
  isModelStep,
  isSteerStep,
  numberOf,
  SEGMENT_STEP,
  turnOf,
} from "../step-names.ts";
import type { Compaction, Conversation } from "../types/compaction.ts";
import type { Spending } from "../types/event.ts";
import { type PromptNode, promptTree } from "./prompt-tree.ts";
import { isQueuedText, type QueuedInput, queuedInputs } from "./queued-inputs.ts";
import { NOTHING_BEFORE, type SegmentHead, segmentHead } from "./segment-head.ts";

/** What a journal tells of a session. */
export interface Transcript {
  /** The messages of the prompts that have ended, in the order in which a provider accepts them, and their newest summary. */
  readonly conversation: Conversation;
  /** What it goes on from: with this its messages begin. */
  readonly before: SegmentHead;
  /** Whether the transcript goes back to a prompt of an older journal, so that it is not known without that. */
  readonly isCutOff: boolean;
  /** What the answers came to, those that failed and those with summaries included; without an interrupted prompt. */
  readonly spending: Spending;
  /** The number of the last prompt; 0 where there was none. */
  readonly lastPrompt: number;
  /** The prompt with which the transcript ends; 0 where it is empty. */
  readonly head: number;
  /** The lines of the last prompt where a crash cut it short. */
  readonly interrupted: readonly JournalLine[] | undefined;
  /** The inputs that wait for their turn. */
  readonly queued: readonly QueuedInput[];
  /** The ids of the prompts, those in the queue included. */
  readonly promptIds: Set<string>;
  /** The lines of the session's own steps. */
  readonly own: readonly JournalLine[];
}

/** Reads the lines of a session's journals, of all or from any of them on, in the order in which they were written. */
export function readTranscript(lines: readonly JournalLine[]): Transcript {
  const base = segmentHead(lines[0]) ?? NOTHING_BEFORE;
  const { path, isCutOff, open, lastPrompt } = promptTree(lines, base);
  const ended = path.filter((prompt) => prompt !== open);
  const before = ended[0]?.number === base.head && !isCutOff ? base : NOTHING_BEFORE;
  const messages = [...before.tail, ...ended.flatMap((prompt) => promptMessages(prompt.lines))];
  const first = before.messages - before.tail.length;
  const own = [...base.own, ...lines.filter(({ prompt, step }) => prompt === 0 && step !== SEGMENT_STEP)];
  return {
    conversation: {
      first,
      messages,
      compaction: newestCompaction(ended, first + messages.length) ?? before.compaction,
    },
    before,
    isCutOff,
    spending: addSpending(
      base.spending,
      spendingOfLines(open ? lines.filter((line) => line.prompt !== open.number) : lines),
    ),
    lastPrompt,
    head: ended.at(-1)?.number ?? 0,
    interrupted: open?.lines,
    queued: queuedInputs([...base.own, ...lines]),
    promptIds: promptIds(base, lines),
    own,
  };
}

function promptIds({ promptIds: before = [] }: SegmentHead, lines: readonly JournalLine[]): Set<string> {
  const ids = lines.flatMap((line) => {
    if (line.prompt > 0) return promptInput(line)?.id ?? [];
    return numberOf("queue", line.step) !== undefined && "result" in line && isQueuedText(line.result)
      ? (line.result.id ?? [])
      : [];
  });
  return new Set([...before, ...ids]);
}

/** What the answers in these lines came to. */
export const spendingOfLines = (lines: readonly JournalLine[]): Spending =>
  spendingOf(lines.flatMap(answerOf), ({ cost }) => cost);

/** The answer that a step brought. */
function answerOf(line: JournalLine): readonly AssistantMessage[] {
  if (!("result" in line)) return [];
  if (isModelStep(line.step)) return isAssistantMessage(line.result) ? [line.result] : [];
  return isCompactionStep(line.step) && isCompactionOutcome(line.result) && line.result.answer
    ? [line.result.answer]
    : [];
}

/** The newest that so many messages can have; what does not fit them would hide messages that it does not stand for. */
export function newestCompaction(prompts: readonly PromptNode[], messages: number): Compaction | undefined {
  for (const { lines, summaries } of prompts.toReversed()) {
    for (const line of [...lines, ...summaries].reverse()) {
      if (!("result" in line) || !isCompactionStep(line.step)) continue;
      if (isCompaction(line.result) && fits(line.result, messages)) return line.result;
    }
  }
  return undefined;
}

/**
 * The messages of one prompt. Results are journaled as tools end, and what the user says meanwhile as it comes; a provider
 * wants the results in the order of the calls, and the model was told when it was asked the next time.
 */
export function promptMessages(lines: readonly JournalLine[]): Message[] {
  const results = lines.flatMap((line) => ("result" in line ? [line] : []));
  const byStep = new Map(results.map((line) => [line.step, line.result]));
  const answers = new Set(lastAttempts(results.map(({ step }) => step)));
  const said = results.flatMap(({ step, result }) => (isSteerStep(step) && isUserMessage(result) ? [result] : []));
  const inputs = new Map(
    results.flatMap((line) => (isInputStep(line.step) ? [[line.step, promptInput(line)?.message] as const] : [])),
  );
  let delivered = 0;
  return results.flatMap(({ step, result }): Message[] => {
    if (isSteerStep(step)) return [];
    if (isDeliverStep(step)) {
      const news = said.slice(delivered, deliveredUpTo(result));
      delivered += news.length;
      return news;
    }
    const input = inputs.get(step);
    if (input) return [input];
    if (step === BEFORE_PROMPT_STEP) return addedContext(result);
    return answers.has(step) && isAssistantMessage(result) ? [result, ...toolResults(result, step, byStep)] : [];
  });
}

/** What modules added behind the input. */
const addedContext = (result: unknown): Message[] =>
  isRecord(result) && isUserMessage(result["message"]) ? [result["message"]] : [];

const deliveredUpTo = (result: unknown): number => (isRecord(result) ? Number(result["upTo"]) : 0);

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
