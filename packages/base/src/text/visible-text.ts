/** What looks like nothing or like something else. The choice of style (U+FE0E, U+FE0F) right behind an emoji is neither. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu;

/** Of these, what prose needs: lines, blanks of other widths, joiners of letters and emoji, symbols of special fonts. */
const OF_PROSE = /\u200d|[\n\t\u200c\p{Zs}\p{Variation_Selector}\p{Co}\p{Cn}]/u;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\n", "\\n"],
]);

/**
 * A foreign text on one line that hides nothing: control characters, what turns the reading order around and what has no width
 * become escapes such as `\u{202e}`. Well-formed.
 */
export const visibleText = (text: string): string => text.replace(HIDDEN, escaped);

/** The same for prose: lines, tabs, unusual blanks and joined characters stay. "\r\n" becomes "\n". */
export const visibleProse = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => (OF_PROSE.test(character) ? character : escaped(character)));

/** Prose on one line: every run of white space becomes a blank. */
export const visibleLine = (text: string): string => visibleProse(text).replace(/\s+/g, " ").trim();

/** Whether a text hides nothing. */
export const isVisible = (text: string): boolean => visibleText(text) === text;

/** The first `length` characters of a text, with an ellipsis if there are more. A character of two halves stays whole. */
export function shortened(text: string, length: number, ellipsis = "…"): string {
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length > length ? `${characters.slice(0, length).join("")}${ellipsis}` : text;
}

function escaped(character: string): string {
  return SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
