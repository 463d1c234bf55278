import type { Diagnostic } from "@mdx-ai/parser";

/** The order in which diagnostics are shown: by file, then by place. */
export function byPlace(left: Diagnostic, right: Diagnostic): number {
  if (left.file !== right.file) return left.file < right.file ? -1 : 1;
  return left.line - right.line || left.column - right.column;
}
