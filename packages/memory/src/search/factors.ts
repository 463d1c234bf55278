import type { Candidate } from "./candidate.ts";
import type { Question } from "./question.ts";
import type { TimeRange } from "./question-dates.ts";
import { WEIGHTS } from "./weights.ts";

const DAY = 86_400_000;

/** By how much a candidate fits the kind of the question, whatever its words say. `asked` are the numbers of the speakers in question. */
export function factorOf(candidate: Candidate, question: Question, asked: ReadonlySet<number>): number {
  const { speaker, hasTime, hasNumber, asks, createdAt } = candidate;
  let factor = asks ? 1 - WEIGHTS.asks : 1;
  if (speaker.some((number) => asked.has(number))) factor *= 1 + WEIGHTS.speaker;
  if (question.asksTime && hasTime) factor *= 1 + WEIGHTS.hasTime;
  if (question.asksNumber && hasNumber) factor *= 1 + WEIGHTS.hasNumber;
  return question.times.length === 0 ? factor : factor * (1 + WEIGHTS.time * nearness(createdAt, question.times));
}

/** 1 within a time in question, less the further away: people speak of what has just been, seldom of what will be. */
function nearness(time: number, ranges: readonly TimeRange[]): number {
  return ranges.reduce((best, { from, to }) => {
    const away = time < from ? 2 * (from - time) : Math.max(0, time - to);
    return Math.max(best, Math.exp(-away / (0.1 * (to - from) + 3 * DAY)));
  }, 0);
}
