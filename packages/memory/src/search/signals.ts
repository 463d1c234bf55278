import type { Candidate, Neighbours } from "./candidate.ts";
import { WEIGHTS } from "./weights.ts";
import { isStopWord } from "./words.ts";

/** How strongly each candidate has something that the question asks for; from 0. */
export type Strengths = Float64Array;

/** The words of candidates, counted once for all that a question asks for. */
export interface CountedWords {
  readonly candidates: readonly Candidate[];
  /** Words of each candidate that are no stop words. */
  readonly lengths: Float64Array;
  readonly averageLength: number;
  /** For each term that is looked for, how often each candidate has it. Others are absent. */
  readonly counts: ReadonlyMap<string, Float64Array>;
}

/** Counts the terms that `isWanted` accepts. */
export function countWords(candidates: readonly Candidate[], isWanted: (term: string) => boolean): CountedWords {
  const lengths = new Float64Array(candidates.length);
  const counts = new Map<string, Float64Array>();
  const known = new Map<string, boolean>();
  const add = (term: string, at: number, weight: number): void => {
    if (isStopWord(term)) return;
    lengths[at] = (lengths[at] ?? 0) + weight;
    const wanted = known.get(term) ?? isWanted(term);
    known.set(term, wanted);
    if (!wanted) return;
    const found = counts.get(term) ?? new Float64Array(candidates.length);
    found[at] = (found[at] ?? 0) + weight;
    counts.set(term, found);
  };
  for (const [at, { text, summary }] of candidates.entries()) {
    for (const term of text) add(term, at, 1);
    for (const term of summary) add(term, at, WEIGHTS.summary);
  }
  const total = lengths.reduce((sum, length) => sum + length, 0);
  return { candidates, lengths, averageLength: Math.max(1, total / Math.max(1, candidates.length)), counts };
}

/** BM25 of one term without its rarity. */
export function termStrengths({ counts, lengths, averageLength }: CountedWords, term: string): Strengths | undefined {
  const { saturation, length } = WEIGHTS;
  return counts.get(term)?.map((count, at) => {
    const relative = 1 - length + (length * (lengths[at] ?? 0)) / averageLength;
    return count === 0 ? 0 : (count * (saturation + 1)) / (count + saturation * relative);
  });
}

/** 1 for candidates that have any of the terms; undefined if none has. */
export function anyStrengths(words: CountedWords, terms: Iterable<string>): Strengths | undefined {
  const found = [...terms].flatMap((term) => words.counts.get(term) ?? []);
  if (found.length === 0) return undefined;
  return Float64Array.from(words.candidates, (_, at) => (found.some((counts) => (counts[at] ?? 0) > 0) ? 1 : 0));
}

/** What a candidate has itself or takes from its neighbours, whichever is more. */
export function spread(own: Strengths, candidates: readonly Candidate[], beside: Neighbours): Strengths {
  const at = (index: number | undefined): number => (index === undefined || index < 0 ? 0 : (own[index] ?? 0));
  return own.map((strength, index) => {
    const before = beside.before[index] ?? -1;
    return Math.max(
      strength,
      at(before) * (candidates[before]?.asks ? WEIGHTS.asked : WEIGHTS.before),
      at(beside.secondBefore[index]) * WEIGHTS.secondBefore,
      at(beside.after[index]) * WEIGHTS.after,
      at(beside.secondAfter[index]) * WEIGHTS.secondAfter,
    );
  });
}

/** How much it says that an entry has a term which `having` of `all` entries have. */
export const rarity = (having: number, all: number): number => {
  const bounded = Math.min(having, all);
  return Math.log(1 + (all - bounded + 0.5) / (bounded + 0.5));
};
