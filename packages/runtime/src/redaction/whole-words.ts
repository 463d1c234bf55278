/** Characters; a longer word is text without spaces, such as base64, and no key. */
const LONGEST_KEY = 2_048;

/** Characters that no key contains. */
const BREAK = /[^!-~]|["'`,;<>(){}[\]|\\]/;

/** A range of a text. */
interface Word {
  readonly start: number;
  readonly end: number;
}

/**
 * The word that a cut at this index would split; undefined if it splits none, or one that is too long for a key. Half a key is
 * not recognised when the text is redacted, so a cut leaves out such a word. Looks at 2,048 characters on each side at most.
 */
export function splitWord(text: string, index: number): Word | undefined {
  let [start, end] = [index, index];
  while (start > 0 && end - start <= LONGEST_KEY && !BREAK.test(text.charAt(start - 1))) start -= 1;
  while (end < text.length && end - start <= LONGEST_KEY && !BREAK.test(text.charAt(end))) end += 1;
  const isSplit = start < index && index < end && end - start <= LONGEST_KEY;
  return isSplit ? { start, end } : undefined;
}
