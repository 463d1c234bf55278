import { stem } from "./stem.ts";
import { STOP_WORDS } from "./stop-words.ts";
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
