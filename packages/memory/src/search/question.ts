import { type TimeRange, timesIn } from "./question-dates.ts";
import { WEIGHTS } from "./weights.ts";
import { isStopWord, plainWords } from "./words.ts";

/** What a question asks for. */
export interface Question {
  /** Its terms in order; undefined where a stop word is. */
  readonly sequence: readonly (string | undefined)[];
  /** The weight of each term. */
  readonly terms: ReadonlyMap<string, number>;
  readonly asksTime: boolean;
  readonly asksNumber: boolean;
  readonly times: readonly TimeRange[];
}

/** Characters and terms of a question that count. */
const LONGEST = 20_000;
const MOST_TERMS = 64;

const TIME = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|week)\b|\bhow long\b/i;
const NUMBER = /\bhow (?:many|much|long|often|old|far)\b/i;

/** Words that speak of the question more than of its subject. */
const QUESTION_WORDS: ReadonlySet<string> = new Set(
  "kind kinds type types name names mention mentioned say said discuss discussed tell told describe described many much often happen happened sort way ways thing things particular specific call called".split(
    " ",
  ),
);

/** Reads a question. Any text is one. Pure. */
export function readQuestion(text: string, term: (word: string) => string, now: number): Question {
  const shown = text.slice(0, LONGEST);
  const words = plainWords(shown);
  const hasSubject = words.some((word) => !isStopWord(word));
  const sequence = words.map((word) => (hasSubject && isStopWord(word) ? undefined : term(word)));
  const terms = new Map<string, number>();
  for (const [at, one] of sequence.entries()) {
    if (one === undefined || terms.size >= MOST_TERMS) continue;
    terms.set(one, QUESTION_WORDS.has(words[at] ?? "") ? WEIGHTS.questionWord : 1);
  }
  return { sequence, terms, asksTime: TIME.test(shown), asksNumber: NUMBER.test(shown), times: timesIn(shown, now) };
}
