/** The words that a command line begins with to run a command. Apart from the commands, which mention each other. */
export const COMMAND_NAMES = [
  "agent",
  "init",
  "check",
  "types",
  "tool",
  "test",
  "inspect",
  "sandbox",
  "models",
  "sessions",
  "trace",
  "replay",
  "trust",
  "lock",
  "diff",
  "completions",
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

/** What no command follows. */
export const GLOBAL: readonly string[] = ["help", "-h", "--help", "-v", "--version"];

/** What the completions of a shell call. */
export const COMPLETE = "complete";
