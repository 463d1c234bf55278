/** What looks like nothing or like something else: controls, format characters, odd blanks, halves of surrogates. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;
const SHORT: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\n", "\\n"],
]);

/** A text on one line in which everything can be seen: what cannot be is an escape such as `\u{200b}`. Well-formed. */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, (character) => SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);

/** The same for a line of a comparison, in which blanks at the end are dots. */
export const visibleLine = (line: string): string =>
  visibleText(line).replace(/ +$/, (blanks) => "·".repeat(blanks.length));
