/** Characters that are invisible or misleading. A variation selector (U+FE0E, U+FE0F) right after an emoji is neither. */
const HIDDEN =
  /(?!(?<=\p{Extended_Pictographic})[\ufe0e\ufe0f])[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{16fe4}\u{1d159}]|(?! )\p{Zs}/gu;

/** The ones that prose needs: lines, blanks of other widths, joiners of letters and emoji, symbols of special fonts. */
const OF_PROSE = /\u200d|[\n\t\u200c\p{Zs}\p{Variation_Selector}\p{Co}\p{Cn}]/u;

const SHORT: ReadonlyMap<string, string> = new Map([
  ["\t", "\\t"],
  ["\r", "\\r"],
  ["\n", "\\n"],
]);

/**
 * An untrusted text on one line without hidden content: control, bidirectional and zero-width characters become escapes such as
 * `\u{202e}`. Well-formed.
 */
export const visibleText = (text: string): string => text.replace(HIDDEN, escaped);

/** The same for prose: lines, tabs, unusual blanks and joined characters stay. "\r\n" becomes "\n". */
export const visibleProse = (text: string): string =>
  text
    .replaceAll("\r\n", "\n")
    .replace(HIDDEN, (character) => (OF_PROSE.test(character) ? character : escaped(character)));

/** Prose on one line: every run of white space becomes a blank. */
export const visibleLine = (text: string): string => visibleProse(text).replace(/\s+/g, " ").trim();

/** Whether a text has no hidden content. */
export const isVisible = (text: string): boolean => visibleText(text) === text;

/** The first `length` characters of a text, with an ellipsis if it is longer. Surrogate pairs stay whole. */
export function shortened(text: string, length: number, ellipsis = "…"): string {
  const characters = [...text.slice(0, 2 * length + 2)];
  return characters.length > length ? `${characters.slice(0, length).join("")}${ellipsis}` : text;
}

function escaped(character: string): string {
  return SHORT.get(character) ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
