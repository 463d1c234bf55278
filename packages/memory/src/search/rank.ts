import { likenessOf } from "./alike.ts";
import { type Candidate, type Neighbours, neighboursOf } from "./candidate.ts";
import type { Question } from "./question.ts";
import {
  anyStrengths,
  type CountedWords,
  countOf,
  countWords,
  factorOf,
  rarity,
  type Strengths,
  spread,
  termStrengths,
} from "./signals.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { WEIGHTS } from "./weights.ts";

/** Facts about a memory beyond the candidates. */
export interface Collection {
  /** The number of its entries. */
  readonly size: number;
  /** How many entries contain a term. */
  readonly having: (term: string) => number;
  /** The terms of the question that are names of speakers. */
  readonly speakers: ReadonlySet<string>;
  /** Numbers the candidates' words. */
  readonly vocabulary: Vocabulary;
}

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

/** Ranks candidates for a question, best first. Pure apart from `collection`. */
export function rank(candidates: readonly Candidate[], question: Question, collection: Collection): readonly Ranked[] {
  const ranking = new Ranking(candidates, question, collection);
  return ranking.ranked();
}

const FEEDBACK = { entries: 3, terms: 20 };
const SESSION_BEST = 3;
/** Words further apart are not a pair. */
const PAIR_DISTANCE = 2;

class Ranking {
  readonly #candidates: readonly Candidate[];
  readonly #question: Question;
  readonly #collection: Collection;
  readonly #beside: Neighbours;
  readonly #scores: Float64Array;

  constructor(candidates: readonly Candidate[], question: Question, collection: Collection) {
    this.#candidates = candidates;
    this.#question = question;
    this.#collection = collection;
    this.#beside = neighboursOf(candidates);
    this.#scores = new Float64Array(candidates.length);
  }

  ranked(): readonly Ranked[] {
    this.#addTerms();
    this.#addFeedback();
    this.#addSessions();
    this.#addOthers();
    const { speakers, vocabulary } = this.#collection;
    const asked = new Set([...speakers].map((term) => vocabulary.number(term)));
    return this.#candidates
      .map((candidate, at) => ({
        candidate,
        score: (this.#scores[at] ?? 0) * factorOf(candidate, this.#question, asked),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || b.candidate.number - a.candidate.number);
  }

  /** Scores the words of the question and words like them. */
  #addTerms(): void {
    const { terms } = this.#question;
    const { speakers, vocabulary } = this.#collection;
    const subjects = [...terms].filter((term) => !speakers.has(term));
    const likes = subjects.map((term) => likenessOf(term).isAlike);
    const isWanted = (term: string): boolean => terms.has(term) || likes.some((isAlike) => isAlike(term));
    const words = countWords(this.#candidates, vocabulary, isWanted);
    for (const term of terms) this.#addTerm(words, term, speakers.has(term) ? WEIGHTS.nameInText : 1);
    for (const isAlike of likes) this.#addAlike(words, isAlike);
    this.#addPairs(words);
  }

  #addTerm(words: CountedWords, term: string, weight: number): void {
    const own = termStrengths(words, term);
    if (own !== undefined) this.#add(this.#spread(own), weight * this.#rarity(term));
  }

  #addAlike(words: CountedWords, isAlike: (term: string) => boolean): void {
    const { terms } = this.#question;
    const alike = [...words.counts.keys()].filter((one) => !terms.has(one) && isAlike(one));
    const own = anyStrengths(words, alike);
    if (own !== undefined) this.#add(this.#spread(own), WEIGHTS.alike * this.#rarityOf(own));
  }

  #addPairs(words: CountedWords): void {
    const { sequence } = this.#question;
    for (const [at, first] of sequence.slice(0, MAX_PAIRS).entries()) {
      const second = sequence[at + 1];
      if (first !== undefined && second !== undefined) this.#addPair(words, first, second);
    }
  }

  #addPair({ counts }: CountedWords, first: string, second: string): void {
    const [having, others] = [counts.get(first), counts.get(second)];
    if (having === undefined || others === undefined) return;
    const weight = (WEIGHTS.pair * (this.#rarity(first) + this.#rarity(second))) / 2;
    const hasBoth = (at: number): boolean => (having[at] ?? 0) > 0 && (others[at] ?? 0) > 0;
    const { vocabulary } = this.#collection;
    const pair = [vocabulary.number(first), vocabulary.number(second)] as const;
    const own = this.#candidates.map(({ text }, at) => (hasBoth(at) && hasPair(text, pair) ? 1 : 0));
    this.#add(Float64Array.from(own), weight);
  }

  /** Scores further words of the best candidates, to find the same content in other words. */
  #addFeedback(): void {
    const best = [...this.#scores.keys()]
      .filter((at) => (this.#scores[at] ?? 0) > 0)
      .sort((a, b) => (this.#scores[b] ?? 0) - (this.#scores[a] ?? 0))
      .slice(0, FEEDBACK.entries);
    const { terms } = this.#question;
    const { vocabulary } = this.#collection;
    const said = new Set(
      best.flatMap((at) => Array.from(this.#candidates[at]?.text ?? [], (one) => vocabulary.term(one))),
    );
    const words = countWords(this.#candidates, vocabulary, (term) => said.has(term) && !terms.has(term));
    const values = [...words.counts].flatMap(([term, counts]) => {
      if (countOf(counts) < 2) return [];
      const value = best.reduce((sum, at) => sum + (this.#scores[at] ?? 0) * Math.min(1, counts[at] ?? 0), 0);
      return [{ term, rarity: this.#rarityOf(counts), value: value * this.#rarityOf(counts) }];
    });
    const further = values.sort((a, b) => b.value - a.value).slice(0, FEEDBACK.terms);
    for (const { term, rarity: rare, value } of further) {
      const own = termStrengths(words, term);
      if (own !== undefined) this.#add(this.#spread(own), (WEIGHTS.feedback * rare * value) / (further[0]?.value ?? 1));
    }
  }

  /** Raises entries of sessions with other good entries. */
  #addSessions(): void {
    const sessions = Map.groupBy(this.#candidates.keys(), (at) => this.#candidates[at]?.session ?? "");
    const values = new Map(
      [...sessions].map(([session, indexes]) => {
        const scores = indexes.map((at) => this.#scores[at] ?? 0);
        const best = scores.sort((a, b) => b - a).slice(0, SESSION_BEST);
        return [session, (WEIGHTS.session * best.reduce((sum, score) => sum + score, 0)) / SESSION_BEST] as const;
      }),
    );
    for (const [at, { session }] of this.#candidates.entries()) {
      const score = this.#scores[at] ?? 0;
      if (score > 0) this.#scores[at] = score + (values.get(session) ?? 0);
    }
  }

  /** Scores entries without a word of the question that match its time, or its speaker if it names nothing else. */
  #addOthers(): void {
    const { terms, times } = this.#question;
    const { speakers, vocabulary } = this.#collection;
    const asked = [...terms].every((term) => speakers.has(term))
      ? new Set([...speakers].map((term) => vocabulary.number(term)))
      : new Set<number>();
    const isMeant = ({ createdAt, speaker }: Candidate): boolean =>
      times.some(({ from, to }) => createdAt >= from && createdAt < to) || speaker.some((one) => asked.has(one));
    this.#add(
      Float64Array.from(this.#candidates, (candidate) => (isMeant(candidate) ? 1 : 0)),
      MIN_COUNT,
    );
  }

  #add(strengths: Strengths, weight: number): void {
    const scores = this.#scores;
    for (let at = 0; at < scores.length; at++) scores[at] = (scores[at] ?? 0) + weight * (strengths[at] ?? 0);
  }

  #spread(own: Strengths): Strengths {
    return spread(own, this.#candidates, this.#beside);
  }

  #rarity(term: string): number {
    return rarity(this.#collection.having(term), this.#collection.size);
  }

  /** The rarity of a group of terms, from the candidates that contain any of them. */
  #rarityOf(strengths: Strengths): number {
    return rarity(countOf(strengths), this.#candidates.length);
  }
}

/** Lower than the score of any word. */
const MIN_COUNT = 0.01;

/** Pairs of a long question that are scored. */
const MAX_PAIRS = 64;

function hasPair(text: Int32Array, [first, second]: readonly [number, number]): boolean {
  for (let at = text.indexOf(first); at >= 0; at = text.indexOf(first, at + 1)) {
    if (text[at - 1] === second) return true;
    if (text.subarray(at + 1, at + 1 + PAIR_DISTANCE).includes(second)) return true;
  }
  return false;
}
