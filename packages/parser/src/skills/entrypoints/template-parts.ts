/** Where a placeholder is: outside of quotes or between quotes, which decides how its value is written. */
export type TemplateQuotes = "none" | "double" | "single";

/** The place of an argument in a command. */
export interface TemplateArgument {
  /** A property of the tool's schema, or `baseDir`. */
  readonly name: string;
  readonly quotes: TemplateQuotes;
  /** What the word holds before and after the value, such as `--limit=` or a quote; left out together with it. */
  readonly lead: string;
  readonly trail: string;
  /** Whether it is a word of its own. One that is absent is left out as a whole. */
  readonly isWord: boolean;
  /** Whether a program would take a value that begins with `-` for an option. */
  readonly maybeOption: boolean;
}

/** The target of a `bash:` entrypoint. */
export type ShellTemplate =
  /** The argument is the command. */
  | { readonly kind: "command"; readonly name: string }
  /** Texts of the author and the arguments between them. */
  | { readonly kind: "template"; readonly parts: readonly (string | TemplateArgument)[] };
