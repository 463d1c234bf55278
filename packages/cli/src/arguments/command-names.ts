/** The words that a command line begins with to run a command. In a file of its own, since the commands mention each other. */
export const COMMAND_NAMES = [
  "agent",
  "init",
  "check",
  "types",
  "tool",
  "test",
  "inspect",
  "mcp",
  "sandbox",
  "models",
  "sessions",
  "memory",
  "trace",
  "replay",
  "trust",
  "lock",
  "diff",
  "completions",
] as const;

export type CommandName = (typeof COMMAND_NAMES)[number];

/** Options that no command follows. */
export const GLOBAL: readonly string[] = ["help", "-h", "--help", "-v", "--version"];

/** The command that shell completions call. */
export const COMPLETE = "complete";
