/** A pattern uses what cannot run in linear time, or is too long. */
export class UnsupportedPatternError extends Error {
  override readonly name = "UnsupportedPatternError";
}

const TOKEN =
  /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]|\(\?(?:[:=!]|<(?![=!])[^>]*>)|\(\?|\{\d+(?:,\d*)?\}|[\s\S]/gu;

/** The tokens of a valid pattern with the flag u, such as `(?:`, `[a-z]`, `\\d`, `+` and `{2,}`. Linear in its length. */
export const patternTokens = (pattern: string): readonly string[] => pattern.match(TOKEN) ?? [];

/** What JavaScript takes as blanks, for a class of RE2, which knows those of ASCII alone. */
const BLANKS = "\\t-\\r \\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}";

const TRANSLATED: ReadonlyMap<string, string> = new Map([
  [".", "[^\\n\\r\\x{2028}\\x{2029}]"],
  ["\\s", `[${BLANKS}]`],
  ["\\S", `[^${BLANKS}]`],
  ["^", "\\A"],
  ["$", "\\z"],
]);

/**
 * Whether a text has a match of a valid pattern with the flag u, in a time that grows with the length of the text. Throws
 * `UnsupportedPatternError` at look-around, backreferences, modifiers and what RE2 does not know.
 */
export function linearPattern(
  pattern: string,
  { ignoresCase = false }: { readonly ignoresCase?: boolean } = {},
): (text: string) => boolean {
  const { RE2JS }: typeof import("./re2.ts") = require("./re2.ts");
  const source = patternTokens(pattern).map(translated).join("");
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source), ignoresCase ? RE2JS.CASE_INSENSITIVE : 0);
    return (text) => compiled.matcher(text).find();
  } catch (cause) {
    throw new UnsupportedPatternError(pattern, { cause });
  }
}

function translated(token: string): string {
  if (/^\(\?(?![:<])|^\(\?<[=!]|^\\[1-9k]|^\[.+\\S/s.test(token) && token !== "[\\s\\S]")
    throw new UnsupportedPatternError(token);
  if (token === "[\\s\\S]" || token === "[^]") return "[\\x{0}-\\x{10FFFF}]";
  if (token.startsWith("[")) return token.replace(/\\([\s\S])/g, (whole, letter) => (letter === "s" ? BLANKS : whole));
  return TRANSLATED.get(token) ?? token;
}
