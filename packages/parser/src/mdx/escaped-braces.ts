import type { TextEdit } from "../types/diagnostic.ts";

/**
 * Escapes a brace that is text, and all braces up to `end`, which would be read as code then. Where the text may hold a code
 * span, a tag or an escape, only the braces that begin it are escaped.
 */
export function escapedBraces(text: string, start: number, end: number): TextEdit {
  const written = text.slice(start, end);
  const run = /^\{+/.exec(written)?.[0] ?? "{";
  const last = /[`<\\]/.test(written) ? run.length - 1 : Math.max(0, written.lastIndexOf("{"));
  if (last === 0) return { start, end: start, text: "\\" };
  return { start, end: start + last + 1, text: written.slice(0, last + 1).replaceAll("{", "\\{") };
}
