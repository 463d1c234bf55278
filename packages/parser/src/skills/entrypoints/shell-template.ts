import { type EntrypointMistake, mistake } from "./entrypoint-mistake.ts";
import type { ShellTemplate } from "./template-parts.ts";
import { TemplateScanner } from "./template-scanner.ts";

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
