import { stem } from "./stem.ts";
import { WORD_OF } from "./word-forms.ts";

/** Runs of letters and digits. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
/** The accents of Latin, Greek and Cyrillic letters; in other scripts marks are vowels. */
const ACCENTS = /[\u0300-\u036f]/g;
/** Characters of a word that count. */
const LONGEST = 64;

/** A text as words in lower case without accents, in order. Scripts without spaces give pairs of characters. Pure. */
export const plainWords = (text: string): readonly string[] =>
  (folded(text).match(RUN) ?? []).flatMap((run) => (UNSPACED.test(run) ? pairs(run) : [run.slice(0, LONGEST)]));

const folded = (text: string): string => text.normalize("NFD").replace(ACCENTS, "").normalize("NFC").toLowerCase();

function pairs(run: string): readonly string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
}

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/**
 * Makes the term by which a word is found: its base form, stemmed; a stop word is its own. Remembers what it has made, since
 * texts repeat words.
 */
export function createTerms(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const term = known.get(word) ?? (isStopWord(word) ? word : stem(WORD_OF.get(word) ?? word));
    if (known.size < MOST_KNOWN) known.set(word, term);
    return term;
  };
}

const MOST_KNOWN = 50_000;

/** Words that say nothing about the subject of a question, in lower case; also what an apostrophe leaves of "don't" and the like. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a about above after again against all also am an and any are aren as at be because been before being below between both
  but by can cannot could couldn d did didn do does doesn doing don down during each either else ever few for from further get
  gets getting got had hadn has hasn have haven having he her here hers herself him himself his how i if in into is isn it its itself
  just ll m me might mightn more most must mustn my myself needn neither no nor not now of off on once only or other our
  ours ourselves out over own please re s same shall shan she should shouldn so some such t than that the their theirs them
  themselves then there these they this those through to too under until up upon us ve very was wasn we were weren what
  when where whether which while who whom whose why will with within without would wouldn yes yet you your yours
  yourself yourselves`.split(/\s+/),
);
