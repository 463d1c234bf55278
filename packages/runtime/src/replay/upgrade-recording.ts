import type { AssistantMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { CallHistory, PromptBeginning, PromptHistory, TurnHistory, TurnStep } from "../history/prompt-history.ts";
import { JOURNAL_VERSION, type JournalLine } from "../journal/journal-line.ts";
import type { CallDecision } from "../loop/decide-calls.ts";
import type { PlannedModel, PromptBegin, PromptEnd } from "../loop/plan.ts";
import { isOneTooMany, unrunAnswer } from "../loop/unrun-call.ts";
import { BEGIN_STEP, END_STEP, policyStep, sizeStep } from "../step-names.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";

/** More tokens than any request has: the recording decides whether there was a summary. */
const NO_LIMIT = 1e15;

/**
 * The lines of a prompt as the current loop would have written them. If its beginning has no plan, as in version 1, it gets one,
 * the calls of each answer get a policy, and each attempt a size, all as far as they follow from the recording. Other lines
 * stay as they are. Pure.
 */
export function upgradedLines(prompt: PromptHistory, tools: ToolRegistry): readonly JournalLine[] {
  const { begin, end, lines } = prompt;
  if (begin === undefined || begin.plan) return lines;
  const results = new Map<string, unknown>();
  results.set(begin.step, beginOf(begin, prompt, tools));
  if (end) results.set(END_STEP, endOf(end, prompt));
  const added = new Map(prompt.turns.flatMap((turn) => addedSteps(turn, tools)));
  return lines.flatMap((line): readonly JournalLine[] => {
    if (!("result" in line)) return [line];
    const own = { v: JOURNAL_VERSION, prompt: prompt.number } as const;
    const { before = [], after = [] } = added.get(line.step) ?? {};
    const step = line.step === begin.step ? BEGIN_STEP : line.step;
    const result = results.has(line.step) ? results.get(line.step) : line.result;
    return [...before, { step, result }, ...after].map((one) => ({ ...own, ...one }));
  });
}

interface Result {
  readonly step: string;
  readonly result: unknown;
}

/** The lines before and after the line of an attempt. */
interface AddedSteps {
  readonly before: readonly Result[];
  readonly after: readonly Result[];
}

/** By the step of the attempt: its size, and the policy of its calls if it gave the answer. */
function addedSteps(turn: TurnHistory, tools: ToolRegistry): readonly (readonly [string, AddedSteps])[] {
  const { number, answer, calls } = turn;
  const isDecided = calls.length > 0 && answer !== undefined && unrunAnswer(answer.message) === undefined;
  const policy = { step: policyStep(number), result: { calls: calls.map((call) => decisionOf(call, tools)) } };
  return turn.steps.flatMap((step) => {
    if (step.type !== "attempt") return [];
    const size = { step: sizeStep(number, step.attempt), result: { tokens: sizeBefore(step.attempt, turn) } };
    return [[step.step, { before: [size], after: isDecided && step === answer ? [policy] : [] }] as const];
  });
}

/** The tokens of a request: too many if it was shortened, else none. */
const sizeBefore = (attempt: number, { steps }: TurnHistory): number =>
  steps.some((step) => step.type === "summary" && step.attempt === attempt) ? 2 * NO_LIMIT : 0;

function decisionOf({ call, result, decision }: CallHistory, tools: ToolRegistry): CallDecision {
  if (decision !== undefined) return decision;
  const isRefused = result?.isError === true && (isOneTooMany(result) || tools.refusal(call) !== undefined);
  return isRefused ? { refuse: contentText(result.content) } : "run";
}

const beginOf = (
  { message: input, queued }: PromptBeginning,
  prompt: PromptHistory,
  tools: ToolRegistry,
): PromptBegin => ({
  input,
  id: String(prompt.number),
  ...(queued !== undefined && { queued }),
  plan: {
    models: recordedModels(prompt),
    parameters: {},
    retries: Array.from({ length: mostRetries(prompt) }, () => null),
    limits: prompt.end?.outcome === "limit" ? { turns: prompt.turns.filter(({ answer }) => answer).length } : {},
    context: { compactAt: 1, window: NO_LIMIT },
    head: Number.POSITIVE_INFINITY,
    tools: tools.planned,
  },
});

function endOf(end: PromptEnd, { steering }: PromptHistory): PromptEnd {
  const pending = steering.filter(({ turn }) => turn === undefined);
  const pendingInput = pending.map(({ message }) => contentText(message.content));
  return pendingInput.length === 0 ? end : { ...end, pendingInput };
}

/** The most retries in a row. */
function mostRetries({ turns }: PromptHistory): number {
  let most = 0;
  let inARow = 0;
  for (const step of turns.flatMap(({ steps }) => steps)) {
    if (step.type === "wait") most = Math.max(most, ++inARow);
    else if (step.type === "attempt" && step.message.stopReason !== "error") inARow = 0;
  }
  return most;
}

/** The models that were asked, in fallback order. Not empty. */
function recordedModels({ turns }: PromptHistory): readonly PlannedModel[] {
  const models = turns.flatMap(({ steps }) => newModels(steps));
  const first = turns.flatMap(({ steps }) => steps.flatMap((step) => answerOf(step) ?? []))[0];
  return first === undefined ? [{ provider: "recording", name: "none" }] : [first, ...models].map(plannedModel);
}

const plannedModel = ({ provider, model: name }: AssistantMessage): PlannedModel => ({ provider, name });

/** The first answers of the models that a turn fell back to: those after a failure that no wait followed. */
function newModels(steps: readonly TurnStep[]): readonly AssistantMessage[] {
  let hasFailed = false;
  return steps.flatMap((step) => {
    const answer = answerOf(step);
    const isNew = hasFailed && answer !== undefined;
    if (step.type === "wait") hasFailed = false;
    else if (answer) hasFailed = step.type === "attempt" && answer.stopReason === "error";
    return isNew ? [answer] : [];
  });
}

const answerOf = (step: TurnStep): AssistantMessage | undefined => {
  if (step.type === "attempt") return step.message;
  return step.type === "summary" ? step.outcome.answer : undefined;
};
