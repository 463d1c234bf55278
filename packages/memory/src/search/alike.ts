/** The fewest characters that alike words share, in Latin letters and in others, where words are shorter. */
const LATIN = 4;
const OTHER = 3;
/** The least share of the shorter word. */
const SHARE = 0.7;
/** Characters of a word that are compared. */
const MAX_LENGTH = 40;

const IS_LATIN = /^[\p{Script=Latin}\p{N}]+$/u;

/** How words that are like a term are found. Pure. */
export interface Likeness {
  readonly isAlike: (word: string) => boolean;
  /** At least one of these is in each longer word that is alike. Of three characters or more. */
  readonly parts: readonly string[];
  /** The shorter words that are within the term. */
  readonly within: readonly string[];
}

/**
 * Words are alike if they share most of the characters of the shorter one: its beginning, or all of it within a compound. In other
 * scripts than Latin, articles and pronouns are written before and after a word, so any run of characters counts.
 */
export function likenessOf(term: string): Likeness {
  const isLatin = IS_LATIN.test(term);
  const least = isLatin ? LATIN : OTHER;
  const shared = (word: string): number => Math.max(least, Math.ceil(word.length * SHARE));
  const isPart = (short: string, long: string): boolean => {
    const length = shared(short);
    if (short.length < length) return false;
    if (!isLatin) return runsOf(short, length).some((run) => long.includes(run));
    return long.startsWith(short.slice(0, length)) || long.includes(short);
  };
  const cut = term.slice(0, MAX_LENGTH);
  const lengths = Array.from({ length: Math.max(0, cut.length - least) }, (_, more) => least + more);
  return {
    isAlike: (word) => word !== term && (word.length < term.length ? isPart(word, term) : isPart(term, word)),
    parts: isLatin ? runsOf(term, shared(term)).slice(0, 1) : runsOf(cut, OTHER),
    within: lengths.flatMap((length) => runsOf(cut, length)),
  };
}

const runsOf = (word: string, length: number): readonly string[] =>
  Array.from({ length: Math.max(0, word.length - length + 1) }, (_, at) => word.slice(at, at + length));
