import type { UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import { promptInput } from "../history/prompt-input.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPromptEnd, type PromptEnd } from "../loop/prompt-end.ts";
import { END_STEP, permissionStep } from "../step-names.ts";
import { journalSpending } from "./journal-spending.ts";
import { resumptionTraces } from "./resumption-trace.ts";
import { steeringTrace } from "./steering-trace.ts";
import { stepPlace } from "./step-place.ts";
import type { TracePrompt, TraceResumption, TraceStep, TraceTurn } from "./trace.ts";
import { turnTrace } from "./turn-trace.ts";

/** A prompt, of the lines of the journal that belong to it. */
export function promptTrace(number: number, lines: readonly JournalLine[]): TracePrompt {
  const user = inputOf(lines);
  const end = resultOf(lines, isEndStep, isPromptEnd);
  const { steering, known: told } = steeringTrace(lines);
  const resumptions = resumptionTraces(lines);
  const turns = turnsOf(lines, resumptions);
  const known = new Set([
    ...[user, end, ...resumptions].flatMap((one) => (one ? [one.step] : [])),
    ...told,
    ...turns.flatMap(({ steps }) => steps.flatMap(knownSteps)),
  ]);
  return {
    number,
    ...(user && { input: contentText(user.result.content) }),
    ...timesOf(user?.result, end?.result),
    ...outcomeOf(end?.result),
    spending: journalSpending(lines),
    turns,
    steering,
    resumptions,
    otherSteps: [...new Set(lines.map(({ step }) => step))].filter((step) => !known.has(step)),
  };
}

/** The names of the steps that something in a turn tells of. */
function knownSteps(step: TraceStep): readonly string[] {
  if (!("step" in step)) return [];
  return "permission" in step ? [step.step, permissionStep(step.step)] : [step.step];
}

function inputOf(lines: readonly JournalLine[]): Found<UserMessage> | undefined {
  for (const line of lines) {
    const input = promptInput(line);
    if (input) return { step: line.step, result: input.message };
  }
  return undefined;
}

const isEndStep = (step: string): boolean => step === END_STEP;

interface Found<Result> {
  readonly step: string;
  readonly result: Result;
}

function resultOf<Result>(
  lines: readonly JournalLine[],
  isWanted: (step: string) => boolean,
  accepts: (value: unknown) => value is Result,
): Found<Result> | undefined {
  for (const line of lines) {
    if (isWanted(line.step) && "result" in line && accepts(line.result))
      return { step: line.step, result: line.result };
  }
  return undefined;
}

function outcomeOf(end: PromptEnd | undefined): Pick<TracePrompt, "outcome" | "limit"> {
  if (end === undefined) return { outcome: "unfinished" };
  const { outcome, limit } = end;
  return { outcome, ...(limit && { limit: { limit: limit.limit, value: limit.value } }) };
}

function turnsOf(lines: readonly JournalLine[], resumptions: readonly TraceResumption[]): TraceTurn[] {
  const turns = Map.groupBy(lines, ({ step }) => stepPlace(step)?.turn);
  return [...turns]
    .flatMap(([turn, turnLines]) => (turn === undefined ? [] : [turnTrace(turn, turnLines, resumptions)]))
    .sort((one, other) => one.number - other.number);
}

function timesOf(
  user: UserMessage | undefined,
  end: PromptEnd | undefined,
): Pick<TracePrompt, "startedAt" | "endedAt" | "duration"> {
  const duration = user && end ? end.at - user.timestamp : Number.NaN;
  return {
    ...(user && { startedAt: user.timestamp }),
    ...(end && { endedAt: end.at }),
    ...(duration >= 0 && { duration }),
  };
}
