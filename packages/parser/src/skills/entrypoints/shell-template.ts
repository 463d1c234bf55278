import { type EntrypointMistake, mistake } from "./entrypoint-mistake.ts";
import { TemplateScanner } from "./template-scanner.ts";

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

/** The folder of the skill: no property of this name is an argument unless the schema has it. */
export const BASE_DIRECTORY = "baseDir";

/**
 * Reads a command with `{name}` for each argument. `{{` and `}}` stand for braces, as do braces that hold no name; `${NAME}` is a
 * variable of the shell. A placeholder where no quoting could keep its value from being run as code is a mistake. Never throws.
 */
export function shellTemplate(target: string, names: readonly string[]): ShellTemplate | EntrypointMistake {
  const [, only] = /^\s*\{([^{}]+)\}\s*$/.exec(target) ?? [];
  if (only !== undefined && names.includes(only)) return { kind: "command", name: only };
  if (target.trim() === "")
    return mistake("the entrypoint has no command", "write a command, such as `bash:ls {path}`");
  return new TemplateScanner(target, new Set([...names, BASE_DIRECTORY])).scan();
}
