import { stem } from "./stem.ts";
import { WORD_OF } from "./word-forms.ts";

/** Runs of letters and digits. */
const RUN = /[\p{L}\p{N}\p{M}]+/gu;
/** Scripts without spaces between words. */
const UNSPACED = String.raw`[[\p{L}\p{N}\p{M}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]`;
const HANGUL = String.raw`\p{Script=Hangul}`;
/** Parts of a run: scripts without spaces, Korean, others. */
const KINDS = new RegExp(`(${UNSPACED}+)|(${HANGUL}+)|(?:(?!${HANGUL})[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}])+`, "gv");
const HAS_KINDS = new RegExp(`${UNSPACED}|${HANGUL}`, "v");
/** A character of a script in which one character may be a word. */
const WORD_CHARACTER = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]/gu;
/** A word of one Chinese character within Japanese text. */
const ALONE = /(?<!\p{Script=Han})\p{Script=Han}(?!\p{Script=Han})/gu;
/** A name followed by a number, such as a model's name. */
const NUMBERED = /^(\p{L}{3,})\p{N}+$/u;
const HAS_NUMBERED = /\p{L}\p{N}/u;
/** Full-width and half-width forms. */
const WIDTHS = /[\uff01-\uffee]+/g;
/** Accents of Latin, Greek and Cyrillic letters; points and lengthening of Hebrew and Arabic. In other scripts, marks are vowels. */
const ACCENTS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0640\u064b-\u065f\u0670]/g;
/** Characters of a word that are used. */
const MAX_LENGTH = 64;

/**
 * The words of a text in order, lower-case, without accents, in normal width. Scripts without spaces give pairs of characters; Korean
 * words, which end with particles, give themselves and their pairs. Pure.
 */
export const plainWords = (text: string): readonly string[] => wordsOf(text, (run) => run.match(ALONE) ?? []);

/** As `plainWords`, plus each character that may be a word. */
export const indexedWords = (text: string): readonly string[] =>
  wordsOf(text, (run) => run.match(WORD_CHARACTER) ?? []);

function wordsOf(text: string, characters: (run: string) => readonly string[]): readonly string[] {
  const plain = folded(text);
  const runs = plain.match(RUN) ?? [];
  // A fast path: most texts use one script and few names with numbers.
  if (!HAS_KINDS.test(plain)) return HAS_NUMBERED.test(plain) ? runs.flatMap(spacedWords) : runs.map(shortened);
  return runs.flatMap((run) => {
    if (!HAS_KINDS.test(run)) return spacedWords(run);
    return [...run.matchAll(KINDS)].flatMap(([part, unspaced, korean]) => {
      if (unspaced === undefined && korean === undefined) return spacedWords(part);
      const letters = [...part];
      if (letters.length === 1) return letters;
      const pairs = letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
      const word = korean === undefined || letters.length === 2 ? [] : [shortened(korean)];
      return [...word, ...pairs, ...characters(part)];
    });
  });
}

const shortened = (word: string): string => word.slice(0, MAX_LENGTH);

function spacedWords(run: string): readonly string[] {
  const [, name] = NUMBERED.exec(run) ?? [];
  return name === undefined ? [shortened(run)] : [shortened(run), shortened(name)];
}

const folded = (text: string): string =>
  text
    .replaceAll(WIDTHS, (forms) => forms.normalize("NFKC"))
    .normalize("NFD")
    .replace(ACCENTS, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll("ß", "ss");

export const isStopWord = (word: string): boolean => STOP_WORDS.has(word);

/** Converts words to terms: the stem of the English base form; stop words are unchanged. Caches its results. */
export function createTerms(): (word: string) => string {
  const known = new Map<string, string>();
  return (word) => {
    const term = known.get(word) ?? (isStopWord(word) ? word : stem(WORD_OF.get(word) ?? word));
    if (known.size < MAX_KNOWN) known.set(word, term);
    return term;
  };
}

const MAX_KNOWN = 50_000;

/** Lower-case English words that say nothing about a question's subject, including the parts of contractions such as "don't". */
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
