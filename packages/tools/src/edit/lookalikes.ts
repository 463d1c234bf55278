/** A folded text, in which characters that look alike are equal, and the positions of its parts in the original. */
export interface FoldedText {
  readonly text: string;
  /** The original index of a part that starts at an index of the folded text; undefined within a part. */
  startOf(index: number): number | undefined;
  /** Like `startOf`, for the end of a part. */
  endOf(index: number): number | undefined;
}

/** Characters that look alike, each list after its replacement. */
const ALIKE: readonly (readonly [string, RegExp])[] = [
  [" ", /^[\p{Zs}]$/u],
  ["'", /^[\u2018-\u201b\u2032\u02b9\u02bb\u02bc\u02c8\uff07]$/u],
  ['"', /^[\u201c-\u201f\u2033\u02ba\uff02]$/u],
  ["-", /^[\u2010-\u2015\u2212\u2043\ufe58\ufe63\uff0d]$/u],
  ["...", /^\u2026$/u],
];

/** Invisible characters: zero-width blanks, directional marks, soft hyphens, variation selectors. */
const INVISIBLE = String.raw`\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff`;

/**
 * Characters that may look like others: letters with combining marks, decomposed Korean, full or half width, and the characters
 * listed above.
 */
const CANDIDATE = new RegExp(
  [
    String.raw`[\p{L}\p{N}\p{P}\p{S}][${INVISIBLE}]*\p{Mn}[\p{M}${INVISIBLE}]*`,
    String.raw`[\u1100-\u115f][\u1160-\u11a7]?[\u11a8-\u11ff]?`,
    String.raw`[\uff66-\uff9d][\uff9e\uff9f]?`,
    String.raw`[${INVISIBLE}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`,
    String.raw`[\u02b9-\u02bc\u02c8\u2010-\u201f\u2026\u2032\u2033\u2043\u2212\ufe58\ufe63\uff01-\uff5e\uff61-\uff65\uffe0-\uffe6]`,
    String.raw`[\u212a\u212b\u2126\u0340\u0341\u0374\u037e\u0387]`,
  ].join("|"),
  "gu",
);

const HAS_INVISIBLE = new RegExp(`[${INVISIBLE}]`, "gu");

/** Half-width characters, whose usual form is the other one. */
const WIDTH = /[\uff01-\uff5e\uff61-\uff9f\uffe0-\uffe6]/u;

function foldedPart(part: string): string {
  const visible = part.replace(HAS_INVISIBLE, "");
  const usual = visible.normalize(WIDTH.test(visible) ? "NFKC" : "NFC");
  return ALIKE.find(([, pattern]) => pattern.test(usual))?.[0] ?? usual;
}

/** The same as `foldedText(text).text`. Line ends and plain blanks stay. */
export const folded = (text: string): string => (isAscii(text) ? text : text.replaceAll(CANDIDATE, foldedPart));

/** Folds a text and keeps the original positions. */
export function foldedText(text: string): FoldedText {
  // Starts and ends of the folded parts, before and after.
  const starts: number[] = [];
  const ends: number[] = [];
  const foldedStarts: number[] = [];
  const foldedEnds: number[] = [];
  let growth = 0;
  const result = isAscii(text)
    ? text
    : text.replaceAll(CANDIDATE, (part, index: number) => {
        const becomes = foldedPart(part);
        starts.push(index);
        ends.push(index + part.length);
        foldedStarts.push(index + growth);
        growth += becomes.length - part.length;
        foldedEnds.push(index + part.length + growth);
        return becomes;
      });
  const behind = (part: number, index: number): number | undefined => {
    const after = index - (foldedEnds[part] ?? 0);
    return after < 0 ? undefined : (ends[part] ?? 0) + after;
  };
  return {
    text: result,
    // Invisible characters at both ends are excluded.
    startOf: (index) => {
      const part = countUpTo(foldedStarts, index) - 1;
      if (part === -1) return index;
      const begins = foldedStarts[part] === index && foldedEnds[part] !== index;
      return begins ? starts[part] : behind(part, index);
    },
    endOf: (index) => {
      const part = countUpTo(foldedStarts, index - 1) - 1;
      return part === -1 ? index : behind(part, index);
    },
  };
}

/** How many of the ascending numbers are at most `most`. */
function countUpTo(numbers: readonly number[], most: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle + 1;
    else high = middle;
  }
  return low;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text);

/** A character by its code point, and as itself if it is visible. */
export function namedCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) ? `U+${code} (${character})` : `U+${code}`;
}

/** The first characters in which two texts differ; undefined for a text that has ended. */
export interface CharacterDifference {
  readonly one: string | undefined;
  readonly other: string | undefined;
}

/** The first difference of two texts; undefined if they are equal, or differ only in plain characters there. */
export function unusualDifference(first: string, second: string): CharacterDifference | undefined {
  const [characters, others] = [Array.from(first), Array.from(second)];
  const at = characters.findIndex((character, index) => character !== others[index]);
  const index = at === -1 && others.length > characters.length ? characters.length : at;
  if (index === -1) return undefined;
  const [one, other] = [characters[index], others[index]];
  return [one, other].some((character = "") => /[^\t\x20-\x7e]/u.test(character)) ? { one, other } : undefined;
}
