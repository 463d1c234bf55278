import { closest } from "@mdx-ai/base";

/**
 * The known word that a word was meant to be: it differs in case, in separators, by a plural or by a letter of a long word. Undefined if it is
 * known, or if nothing is that near: a word that is merely unknown may be new.
 */
export function meantWord(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return undefined;
  const same = known.find((one) => plain(one) === plain(word) || plain(one) === `${plain(word)}s`);
  if (same !== undefined || word.length < MIN_LENGTH) return same;
  const near = closest(word, known);
  return near !== undefined && Math.abs(near.length - word.length) <= 1 && isNear(plain(near), plain(word))
    ? near
    : undefined;
}

/** Shorter words are near to too many others. */
const MIN_LENGTH = 5;

const plain = (word: string): string => word.toLowerCase().replace(/[-_ ]/g, "");

/** Whether one letter is missing, added or different, or two are swapped. */
function isNear(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const [first, second] = [one.slice(start), other.slice(start)];
  const isSwapped = first[0] === second[1] && first[1] === second[0] && first.slice(2) === second.slice(2);
  return isSwapped || first.slice(1) === second || first === second.slice(1) || first.slice(1) === second.slice(1);
}
