import type { Candidate, Neighbours } from "./candidate.ts";
import type { Question, TimeRange } from "./question.ts";
import { STOPPED, type Vocabulary } from "./vocabulary.ts";
import { WEIGHTS } from "./weights.ts";

// Index loops, since this runs for every word of every candidate.

/** How well each candidate matches one aspect of the question; from 0. */
export type Strengths = Float64Array;

/** The words of candidates, counted once per question. */
export interface CountedWords {
  readonly candidates: readonly Candidate[];
  /** Words of each candidate, without stop words. */
  readonly lengths: Float64Array;
  readonly averageLength: number;
  /** Occurrences of each wanted term in each candidate. */
  readonly counts: ReadonlyMap<string, Float64Array>;
}

const UNKNOWN = 0;
const UNWANTED = -1;

/** Counts the terms that `isWanted` accepts; it is called once per term. */
export function countWords(
  candidates: readonly Candidate[],
  vocabulary: Vocabulary,
  isWanted: (term: string) => boolean,
): CountedWords {
  const lengths = new Float64Array(candidates.length);
  const counts = new Map<string, Float64Array>();
  const columns: Float64Array[] = [];
  /** The column index of each number, plus 1. */
  const places = new Int32Array(vocabulary.size);
  const place = (number: number): number => {
    const term = vocabulary.term(number);
    if (!isWanted(term)) return UNWANTED;
    const column = new Float64Array(candidates.length);
    counts.set(term, column);
    return columns.push(column);
  };
  const add = (numbers: Int32Array, at: number, weight: number): number => {
    let length = 0;
    for (let index = 0; index < numbers.length; index++) {
      const number = numbers[index] ?? STOPPED;
      if (number === STOPPED) continue;
      length += weight;
      if (places[number] === UNKNOWN) places[number] = place(number);
      const column = columns[(places[number] ?? UNWANTED) - 1];
      if (column !== undefined) column[at] = (column[at] ?? 0) + weight;
    }
    return length;
  };
  for (let at = 0; at < candidates.length; at++) {
    const candidate = candidates[at];
    if (candidate !== undefined) lengths[at] = add(candidate.text, at, 1) + add(candidate.summary, at, WEIGHTS.summary);
  }
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return { candidates, lengths, averageLength: Math.max(1, total / Math.max(1, candidates.length)), counts };
}

/** BM25 of one term, without its rarity. */
export function termStrengths({ counts, lengths, averageLength }: CountedWords, term: string): Strengths | undefined {
  const { saturation, length } = WEIGHTS;
  const found = counts.get(term);
  if (found === undefined) return undefined;
  const strengths = new Float64Array(found.length);
  for (let at = 0; at < found.length; at++) {
    const count = found[at] ?? 0;
    if (count === 0) continue;
    const relative = 1 - length + (length * (lengths[at] ?? 0)) / averageLength;
    strengths[at] = (count * (saturation + 1)) / (count + saturation * relative);
  }
  return strengths;
}

/** 1 for candidates that contain any of the terms; undefined if none does. */
export function anyStrengths(words: CountedWords, terms: Iterable<string>): Strengths | undefined {
  const found = [...terms].flatMap((term) => words.counts.get(term) ?? []);
  if (found.length === 0) return undefined;
  const strengths = new Float64Array(words.candidates.length);
  for (const counts of found) {
    for (let at = 0; at < counts.length; at++) if ((counts[at] ?? 0) > 0) strengths[at] = 1;
  }
  return strengths;
}

/** How many candidates match. */
export function countOf(strengths: Strengths): number {
  let count = 0;
  for (let at = 0; at < strengths.length; at++) if ((strengths[at] ?? 0) > 0) count++;
  return count;
}

/** The higher of a candidate's score and the weighted scores of its neighbours. */
export function spread(own: Strengths, candidates: readonly Candidate[], beside: Neighbours): Strengths {
  const { before, secondBefore, after, secondAfter } = beside;
  const strengths = new Float64Array(own);
  const take = (at: number, from: number, weight: number): void => {
    const value = from < 0 ? 0 : (own[from] ?? 0) * weight;
    if (value > (strengths[at] ?? 0)) strengths[at] = value;
  };
  for (let at = 0; at < own.length; at++) {
    const previous = before[at] ?? -1;
    take(at, previous, candidates[previous]?.asks ? WEIGHTS.asked : WEIGHTS.before);
    take(at, secondBefore[at] ?? -1, WEIGHTS.secondBefore);
    take(at, after[at] ?? -1, WEIGHTS.after);
    take(at, secondAfter[at] ?? -1, WEIGHTS.secondAfter);
  }
  return strengths;
}

/** The inverse document frequency of a term that `having` of `all` entries contain. */
export const rarity = (having: number, all: number): number => {
  const bounded = Math.min(having, all);
  return Math.log(1 + (all - bounded + 0.5) / (bounded + 0.5));
};

const DAY = 86_400_000;

/** How well a candidate fits the kind of question, apart from its words. `asked` are the numbers of the named speakers. */
export function factorOf(candidate: Candidate, question: Question, asked: ReadonlySet<number>): number {
  const { speaker, hasTime, hasNumber, asks, createdAt } = candidate;
  let factor = asks ? 1 - WEIGHTS.asks : 1;
  if (speaker.some((number) => asked.has(number))) factor *= 1 + WEIGHTS.speaker;
  if (question.asksTime && hasTime) factor *= 1 + WEIGHTS.hasTime;
  if (question.asksNumber && hasNumber) factor *= 1 + WEIGHTS.hasNumber;
  return question.times.length === 0 ? factor : factor * (1 + WEIGHTS.time * nearness(createdAt, question.times));
}

/** 1 within a range, lower the further away: people talk about the recent past, seldom about the future. */
function nearness(time: number, ranges: readonly TimeRange[]): number {
  return ranges.reduce((best, { from, to }) => {
    const away = time < from ? 2 * (from - time) : Math.max(0, time - to);
    return Math.max(best, Math.exp(-away / (0.1 * (to - from) + 3 * DAY)));
  }, 0);
}
