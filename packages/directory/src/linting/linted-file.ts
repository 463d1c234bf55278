import type { Diagnostic, SourcePoint } from "@mdx-ai/parser";
import { type LintRule, lintRules } from "./lint-rules.ts";

/** What a file of another program is. */
export type FileKind =
  | "subagent"
  | "command"
  | "skill"
  | "instructions"
  | "claude-settings"
  | "hooks"
  | "mcp-config"
  | "plugin"
  | "marketplace"
  | "opencode-agent"
  | "opencode-command"
  | "opencode-config";

/** A file of another program. */
export interface ForeignFile {
  /** Absolute. */
  readonly path: string;
  readonly kind: FileKind;
  /** The project or the plugin that the file belongs to. Absolute. */
  readonly root: string;
}

/** A mistake in a file. */
export interface Finding {
  /** Default: the start of the file. */
  readonly at?: SourcePoint;
  readonly message: string;
  readonly hint: string;
}

/** Records a mistake. */
export type ReportLint = (rule: LintRule, finding: Finding) => void;

/** A file with its text, and where its mistakes go. */
export interface LintedFile extends ForeignFile {
  /** Without a byte-order mark, with "\n" at the line ends. */
  readonly text: string;
  readonly report: ReportLint;
}

/** The most mistakes that are reported of a file: more are most likely one. */
export const MAX_FINDINGS = 100;

export const START: SourcePoint = { line: 1, column: 1 };

/** A diagnostic of a rule; `file` is the file's path. */
export const lintDiagnostic = (rule: LintRule, file: string, { at = START, message, hint }: Finding): Diagnostic => ({
  file,
  ...at,
  severity: lintRules[rule].severity,
  rule,
  message,
  hint,
});

/** The position of an offset in a text whose lines end with "\n". */
export function pointAt(text: string, offset: number): SourcePoint {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}
