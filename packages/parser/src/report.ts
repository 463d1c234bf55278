import { defined } from "@mdx-ai/base";
import { type Rule, rules } from "./rules.ts";
import type { SourceText } from "./source-text.ts";
import type { Diagnostic, Severity, TextEdit } from "./types/diagnostic.ts";

export { quoted } from "@mdx-ai/base";

/** A mistake at an offset of a SourceText; `fix` is in offsets of that text too. */
export interface Problem {
  readonly rule: Rule;
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
  readonly fix?: TextEdit;
  /** If it differs from the rule's usual one. */
  readonly severity?: Severity;
}

/** Records a mistake. */
export type Report = (problem: Problem) => void;

/** The Diagnostic of a mistake, located in the file. */
export function locate(problem: Problem, source: SourceText, file: string): Diagnostic {
  return {
    file,
    ...source.pointAt(problem.offset),
    severity: problem.severity ?? rules[problem.rule],
    rule: problem.rule,
    message: problem.message,
    ...defined({ hint: problem.hint }),
    ...(problem.fix === undefined ? {} : { fix: source.fileEdit(problem.fix) }),
  };
}

/** Sorts by position; mistakes at one position keep the order in which they were found. */
export function byPosition(left: Diagnostic, right: Diagnostic): number {
  return left.line - right.line || left.column - right.column;
}

/** Sorts by file, then by position. */
export function byFileAndPosition(left: Diagnostic, right: Diagnostic): number {
  if (left.file === right.file) return byPosition(left, right);
  return left.file < right.file ? -1 : 1;
}
