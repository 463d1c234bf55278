/** Signs that mean something to `Bun.Glob` and nothing in the patterns of permissions; `*`, `?` and what they escape stay. */
const FOREIGN_SIGNS = /\\[*?\\]|[\\[\]{},!]/g;

const globSource = (pattern: string): string =>
  pattern.replace(FOREIGN_SIGNS, (sign) => (sign.length === 2 ? sign : `\\${sign}`));

/** What a pattern means where it holds no wildcard; undefined where it does. */
export function literalOf(pattern: string): string | undefined {
  return /[*?]/.test(pattern.replace(/\\[*?\\]/g, "")) ? undefined : unescaped(pattern);
}

const unescaped = (pattern: string): string => pattern.replace(/\\([*?\\])/g, "$1");

/** The pattern that nothing but this text matches. */
export const escaped = (text: string): string => text.replace(/[*?\\]/g, "\\$&");

/**
 * Matches whole texts: `*` stands for any characters, `?` for one, and a backslash takes their meaning from them and from
 * itself. In time that grows no faster than the text times the pattern.
 */
export function textMatcher(pattern: string): (text: string) => boolean {
  const literal = literalOf(pattern);
  if (literal !== undefined) return (text) => text === literal;
  // Of a path `*` would match one part only.
  const glob = new Bun.Glob(globSource(pattern).replaceAll("/", NO_SLASH));
  return (text) => glob.match(text.replaceAll("/", NO_SLASH));
}

/** Stands for "/", and is in no text that a pattern may widen to. */
const NO_SLASH = "\u0001";

/** Matches paths below some folder: `*` and `?` stay within one part of a path, `**` goes over any number of parts. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const glob = new Bun.Glob(globSource(pattern));
  return (path) => glob.match(path);
}
