import type { Diagnostic } from "@mdx-ai/parser";

/** Diagnostics as `line:column rule`, in their order. */
export function placesOf(diagnostics: readonly Diagnostic[]): readonly string[] {
  return diagnostics.map(({ line, column, rule }) => `${line}:${column} ${rule}`);
}

/** The text with all fixes of its diagnostics written in. */
export function withFixes(text: string, diagnostics: readonly Diagnostic[]): string {
  const fixes = diagnostics.flatMap(({ fix }) => (fix === undefined ? [] : [fix]));
  return fixes
    .toSorted((left, right) => right.start - left.start || right.end - left.end)
    .reduce((fixed, { start, end, text: mend }) => fixed.slice(0, start) + mend + fixed.slice(end), text);
}
