import { type AssistantMessage, isAssistantMessage, isUserMessage, type UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { isCompactionOutcome } from "../context/compaction-guard.ts";
import { promptInput } from "../history/prompt-input.ts";
import { isDelivery } from "../hosts/inbox.ts";
import { isPermissionDecision } from "../hosts/local-host.ts";
import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import type { CallDecision } from "../loop/decide-calls.ts";
import type { PlannedModel, PromptBegin } from "../loop/plan.ts";
import { isPromptEnd } from "../loop/prompt-end.ts";
import { isOneTooMany, unrunAnswer } from "../loop/unrun-call.ts";
import {
  BEGIN_STEP,
  compactionStep,
  END_STEP,
  isCompactionStep,
  isDeliverStep,
  isInputStep,
  isModelStep,
  isRetryStep,
  isSteerStep,
  permissionStep,
  policyStep,
  sizeStep,
  turnOf,
} from "../step-names.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";
import { finishedAnswers, type RecordedCall, recordedCalls } from "./recorded-calls.ts";

/** More tokens than any request has: what is recorded decides whether there was a summary. */
const NO_LIMIT = 1e15;

/**
 * The lines of a prompt of version 1 as today's loop would have written them: the beginning gets a plan, the calls of each
 * answer a policy, and each attempt a size, all as far as they follow from the recording. Lines of today's version stay as
 * they are. Pure.
 */
export function upgradedLines(lines: readonly JournalLine[], tools: ToolRegistry): readonly JournalLine[] {
  if (lines.every(({ v }) => v !== 1)) return lines;
  const calls = recordedCalls(lines);
  const answers = new Set(finishedAnswers(lines).map(({ step }) => step));
  return lines.flatMap((line): readonly JournalLine[] => {
    if (!("result" in line)) return [line];
    if (isInputStep(line.step)) return begins(line, lines, tools);
    if (isModelStep(line.step)) {
      const size = resultLine(line.prompt, sizeName(line.step), {
        tokens: wasSummarised(line.step, lines) ? 2 * NO_LIMIT : 0,
      });
      const policy = answers.has(line.step) ? policies(line, { lines, calls, tools }) : [];
      return [size, line, ...policy];
    }
    if (line.step === END_STEP) return [endLine(line, lines)];
    return [line];
  });
}

const resultLine = (prompt: number, step: string, result: unknown): JournalLine => ({
  v: JOURNAL_VERSION,
  prompt,
  step,
  result,
});

function begins(line: JournalLine, lines: readonly JournalLine[], tools: ToolRegistry): readonly JournalLine[] {
  const input = promptInput(line);
  if (input === undefined) return [line];
  const turns = new Set(lines.flatMap(({ step }) => (isModelStep(step) ? [turnOf(step)] : []))).size;
  const begin: PromptBegin = {
    input: input.message,
    id: String(line.prompt),
    ...(input.queued !== undefined && { queued: input.queued }),
    plan: {
      models: recordedModels(lines),
      parameters: {},
      retries: Array.from({ length: mostRetries(lines) }, () => null),
      limits: endedByLimit(lines) ? { turns } : {},
      context: { compactAt: 1, window: NO_LIMIT },
      head: Number.POSITIVE_INFINITY,
      tools: tools.planned,
    },
  };
  return [resultLine(line.prompt, BEGIN_STEP, begin)];
}

const endedByLimit = (lines: readonly JournalLine[]): boolean =>
  lines.some(
    (line) => line.step === END_STEP && "result" in line && isPromptEnd(line.result) && line.result.outcome === "limit",
  );

/** "model:3#2" → "size:3#2". */
const sizeName = (modelStep: string): string => {
  const [turn = "1", attempt = "1"] = modelStep.slice(modelStep.indexOf(":") + 1).split("#");
  return sizeStep(Number(turn), Number(attempt));
};

function wasSummarised(modelStep: string, lines: readonly JournalLine[]): boolean {
  const [turn = "1", attempt = "1"] = modelStep.slice(modelStep.indexOf(":") + 1).split("#");
  const name = compactionStep(Number(turn), Number(attempt));
  return lines.some((line) => line.step === name && "result" in line);
}

interface Recorded {
  readonly lines: readonly JournalLine[];
  readonly calls: readonly RecordedCall[];
  readonly tools: ToolRegistry;
}

function policies(line: JournalLine, { lines, calls, tools }: Recorded): readonly JournalLine[] {
  if (!("result" in line) || !isAssistantMessage(line.result) || unrunAnswer(line.result) !== undefined) return [];
  const turn = turnOf(line.step);
  const own = calls.filter(({ step }) => step.startsWith(`tool:${turn}:`));
  if (own.length === 0) return [];
  return [
    resultLine(line.prompt, policyStep(Number(turn)), { calls: own.map((call) => decisionOf(call, lines, tools)) }),
  ];
}

function decisionOf(
  { call, step, result }: RecordedCall,
  lines: readonly JournalLine[],
  tools: ToolRegistry,
): CallDecision {
  const asked = lines.find((line) => line.step === permissionStep(step));
  if (asked && "result" in asked && isPermissionDecision(asked.result)) {
    return asked.result.verdict === "deny" ? { deny: asked.result.reason } : "ask";
  }
  const isRefused = result?.isError === true && (isOneTooMany(result) || tools.refusal(call) !== undefined);
  return isRefused ? { refuse: contentText(result.content) } : "run";
}

function endLine(line: JournalLine, lines: readonly JournalLine[]): JournalLine {
  if (!("result" in line) || !isPromptEnd(line.result)) return line;
  const steered = lines.flatMap(steeredText);
  const delivered = lines.flatMap((each) =>
    isDeliverStep(each.step) && "result" in each && isDelivery(each.result) ? [each.result.upTo] : [],
  );
  const undelivered = steered.slice(Math.max(0, ...delivered));
  return undelivered.length === 0 ? line : { ...line, result: { ...line.result, undelivered } };
}

function steeredText(line: JournalLine): readonly string[] {
  if (!isSteerStep(line.step) || !("result" in line) || !isUserMessage(line.result)) return [];
  const { content }: UserMessage = line.result;
  return [contentText(content)];
}

/** The most retries in a row. */
function mostRetries(lines: readonly JournalLine[]): number {
  let most = 0;
  let inARow = 0;
  for (const line of lines) {
    if (isRetryStep(line.step)) most = Math.max(most, ++inARow);
    else if ("result" in line && isAssistantMessage(line.result) && line.result.stopReason !== "error") inARow = 0;
  }
  return most;
}

/** An answer, or one with a summary, and the turn for which it was given. */
interface Answer {
  readonly turn: string;
  readonly message: AssistantMessage;
  readonly isSummary: boolean;
}

/** The models that were asked, in the order in which they stood in for one another. Not empty. */
function recordedModels(lines: readonly JournalLine[]): readonly PlannedModel[] {
  const models: PlannedModel[] = [];
  /** The answer that failed and that no wait followed: the next attempt of its turn is another model's. */
  let given: Answer | undefined;
  for (const line of lines) {
    if (isRetryStep(line.step)) given = undefined;
    const answer = answerOf(line);
    if (answer === undefined) continue;
    const { provider, model: name } = answer.message;
    if (models.length === 0 || given?.turn === answer.turn) models.push({ provider, name });
    given = !answer.isSummary && answer.message.stopReason === "error" ? answer : undefined;
  }
  return models.length === 0 ? [{ provider: "recording", name: "none" }] : models;
}

function answerOf(line: JournalLine): Answer | undefined {
  if (!("result" in line)) return undefined;
  const { step, result } = line;
  if (isModelStep(step)) {
    return isAssistantMessage(result) ? { turn: turnOf(step), message: result, isSummary: false } : undefined;
  }
  if (!isCompactionStep(step) || !isCompactionOutcome(result) || result.answer === undefined) return undefined;
  const [turn = ""] = /(?<=:)\d+/.exec(step) ?? [];
  return { turn, message: result.answer, isSummary: true };
}
