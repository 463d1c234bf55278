import type { TextEdit } from "@mdx-ai/base/schema";

export type { TextEdit } from "@mdx-ai/base/schema";

/** A position in a text. Lines and columns start at 1; a column counts UTF-16 code units. */
export interface SourcePoint {
  readonly line: number;
  readonly column: number;
}

/** What a text says, as complete as its mistakes allow, and the mistakes. */
export interface Parsed<Definition> {
  readonly definition: Definition;
  readonly diagnostics: readonly Diagnostic[];
}

/** A note is a departure from a standard that costs nothing here; only a strict check shows it. */
export type Severity = "error" | "warning" | "note";

/**
 * One mistake of an author, with its location.
 * `rule` is stable and may be relied upon; `message` and `hint` are for people and may change.
 */
export interface Diagnostic extends SourcePoint {
  /** Relative to the agent directory, separated by "/". */
  readonly file: string;
  readonly severity: Severity;
  readonly rule: string;
  /** What is wrong, in one line: "unexpected X, expected Y" or a plain statement. */
  readonly message: string;
  /** What to write instead. */
  readonly hint?: string;
  /** The one safe fix, if there is one; it never grants what the author did not write. */
  readonly fix?: TextEdit;
}
