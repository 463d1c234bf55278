import { isUserMessage, type UserMessage } from "@mdx-ai/models";
import { contentText } from "../content-text.ts";
import type { JournalLine } from "../journal/journal-line.ts";
import { isPromptEnd, type PromptEnd } from "../loop/prompt-end.ts";
import { journalSpending } from "./journal-spending.ts";
import { stepPlace } from "./step-place.ts";
import type { TracePrompt, TraceTurn } from "./trace.ts";
import { turnTrace } from "./turn-trace.ts";

/** A prompt, of the lines of the journal that belong to it. */
export function promptTrace(number: number, lines: readonly JournalLine[]): TracePrompt {
  const user = resultOf(lines, "user", isUserMessage);
  const end = resultOf(lines, "end", isPromptEnd);
  const turns = turnsOf(lines);
  const known = new Set([
    ...(user ? ["user"] : []),
    ...(end ? ["end"] : []),
    ...turns.flatMap(({ steps }) => steps.flatMap((step) => ("step" in step ? [step.step] : []))),
  ]);
  return {
    number,
    ...(user && { input: contentText(user.content) }),
    ...timesOf(user, end),
    outcome: end?.outcome ?? "unfinished",
    ...(end?.limit && { limit: { limit: end.limit.limit, value: end.limit.value } }),
    spending: journalSpending(lines),
    turns,
    otherSteps: [...new Set(lines.map(({ step }) => step))].filter((step) => !known.has(step)),
  };
}

function resultOf<Result>(
  lines: readonly JournalLine[],
  step: string,
  accepts: (value: unknown) => value is Result,
): Result | undefined {
  for (const line of lines) {
    if (line.step === step && "result" in line && accepts(line.result)) return line.result;
  }
  return undefined;
}

function turnsOf(lines: readonly JournalLine[]): TraceTurn[] {
  const turns = Map.groupBy(lines, ({ step }) => stepPlace(step)?.turn);
  return [...turns]
    .flatMap(([turn, turnLines]) => (turn === undefined ? [] : [turnTrace(turn, turnLines)]))
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
