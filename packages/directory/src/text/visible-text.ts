/** What looks like nothing or like something else; the choice of style (U+FE0E, U+FE0F) right behind an emoji is no such thing. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\n", "\\n"],
]);

/**
 * A foreign text on one line in which everything can be seen that is there: what acts upon a terminal, reorders or has no
 * width becomes an escape such as `\u{202e}`. Nothing is left out. Well-formed.
 */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, (character) => SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
