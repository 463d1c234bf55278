/** A line of the input that is a command for the shell. */
export interface ShellLine {
  /** Not empty. */
  readonly command: string;
  /** Whether the model receives the command and its output with the next prompt. */
  readonly isShared: boolean;
}

/** Reads `!command`, which the model sees, and `!!command`, which it never sees; undefined for any other text. */
export function shellLineOf(text: string): ShellLine | undefined {
  const found = /^\s*(!!?)(?!!)\s*([\s\S]*\S)\s*$/.exec(text);
  return found === null ? undefined : { command: found[2] ?? "", isShared: found[1] === "!" };
}
