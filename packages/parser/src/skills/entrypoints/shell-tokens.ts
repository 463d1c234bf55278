/** A part of a command in which the shell reads text in its own way. */
export type FrameKind =
  | "commands"
  | "double"
  | "single"
  | "backquotes"
  | "ansi"
  | "arithmetic"
  | "expansion"
  | "comment"
  | "document";

/** A part that is open while a command is read. */
export interface Frame {
  readonly kind: FrameKind;
  /** Where it was opened. */
  readonly index: number;
  /** Parentheses of arithmetic that are open. */
  depth: number;
  /** The first word of the current command; empty until there is one. */
  program: string;
  /** Whether the current command has the word `--`, after which nothing is an option. */
  endsOptions: boolean;
  /** Whether it is between `[[` and `]]`. */
  isCondition: boolean;
}

export const frame = (kind: FrameKind, index: number): Frame => ({
  ...{ kind, index, depth: 0 },
  ...{ program: "", endsOptions: false, isCondition: false },
});

/** What a text of a command means to the shell. */
export interface ShellToken {
  /** Sticky. */
  readonly pattern: RegExp;
  /** The part that it opens. */
  readonly opens?: FrameKind;
  /** Whether it ends the part that it is in. */
  readonly closes?: true;
  /** Whether it ends a word, or a command with it. */
  readonly ends?: "word" | "command";
  /** Whether it only counts where a word could begin. */
  readonly startsWord?: true;
  /** Parentheses of arithmetic that it opens. */
  readonly depth?: number;
  /** Whether it makes the reading of what follows a guess. */
  readonly isUnsure?: true;
  /** Whether a here-document follows in the next line. */
  readonly isDocument?: true;
}

const ESCAPED: ShellToken = { pattern: /\\[\s\S]?/y };

const EXPANDED: readonly ShellToken[] = [
  { pattern: /\$\(\(/y, opens: "arithmetic", depth: 2 },
  { pattern: /\$\(/y, opens: "commands" },
  // Arithmetic, too, in an old form.
  { pattern: /\$\[/y, isUnsure: true },
  { pattern: /\$\{\{?/y, opens: "expansion" },
  { pattern: /`/y, opens: "backquotes" },
];

/** The tokens of each part, of which the first that matches counts. All other text stands for itself. */
export const SHELL_TOKENS: Readonly<Record<FrameKind, readonly ShellToken[]>> = {
  commands: [
    ESCAPED,
    { pattern: /\$'/y, opens: "ansi" },
    ...EXPANDED,
    { pattern: /'/y, opens: "single" },
    { pattern: /"/y, opens: "double" },
    { pattern: /#/y, opens: "comment", startsWord: true },
    { pattern: /<<</y, ends: "word" },
    { pattern: /<</y, ends: "word", isDocument: true },
    { pattern: /\(\(/y, ends: "word", opens: "arithmetic", depth: 2 },
    { pattern: /\(/y, ends: "word", opens: "commands" },
    { pattern: /\)/y, ends: "command", closes: true },
    { pattern: /[;&|\n]/y, ends: "command" },
    { pattern: /[<>\s]/y, ends: "word" },
  ],
  double: [ESCAPED, ...EXPANDED, { pattern: /"/y, closes: true }],
  single: [{ pattern: /'/y, closes: true }],
  ansi: [ESCAPED, { pattern: /'/y, closes: true }],
  backquotes: [ESCAPED, { pattern: /`/y, closes: true }],
  arithmetic: [
    { pattern: /\(/y, depth: 1 },
    { pattern: /\)/y, depth: -1 },
  ],
  // Where the braces of quoted text are is too much to ask.
  expansion: [{ pattern: /['"`\\]/y, isUnsure: true }],
  comment: [{ pattern: /(?=\n)/y, closes: true }],
  document: [],
};

/** Where a placeholder is: outside of quotes or between quotes, which decides how its value is written. */
export type TemplateQuotes = "none" | "double" | "single";

/** How a value between the quotes of each part is written; a placeholder in another part is a mistake. */
export const QUOTES: Partial<Readonly<Record<FrameKind, TemplateQuotes>>> = {
  commands: "none",
  double: "double",
  single: "single",
};

export const OPENING: Readonly<Record<TemplateQuotes, string>> = { none: "", double: '"', single: "'" };

/** The parts in which a placeholder is a mistake, in words. */
export const PLACES: Partial<Readonly<Record<FrameKind, string>>> = {
  backquotes: "between backquotes",
  ansi: "between $'…'",
  arithmetic: "in arithmetic",
  expansion: "in an expansion of a variable",
  comment: "in a comment",
  document: "in a here-document",
};
