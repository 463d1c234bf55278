import type { CommandContext } from "../command-context.ts";

/** The names of the commands. In a separate file, because commands refer to each other. */
export const COMMAND_NAMES = [
  "agent",
  "run",
  "heartbeat",
  "usage",
  "acp",
  "answer",
  "serve",
  "send",
  "mcp-server",
  "engine",
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
  "add",
  "list",
  "update",
  "rollback",
  "remove",
  "verify",
  "trust",
  "lock",
  "diff",
  "build",
  "export",
  "pack",
  "publish",
  "licenses",
  "completions",
] as const;

type CommandName = (typeof COMMAND_NAMES)[number];

/** Options that may come before any command. */
export const GLOBAL: readonly string[] = ["help", "-h", "--help", "-v", "--version"];

/** The command that shell completions call. */
export const COMPLETE = "complete";

/** The purpose of a command, which chooses its heading in the help. */
export type CommandGroup = "run" | "write" | "look" | "share" | "trust" | "shell";

/** An option of a command: `--name`, with a value if `value` is set. */
export interface OptionSpec {
  readonly name: string;
  /** A one-letter alias. */
  readonly short?: string;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  /** Whether the value is optional; it is then written as `--name=value`. */
  readonly isValueOptional?: boolean;
  /** Whether the option may be repeated. All values are kept, in `lists`. */
  readonly isRepeatable?: boolean;
  readonly summary: string;
}

/** The parsed arguments of a command line. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** The words after `--` if the command runs another one; absent without `--`. */
  readonly command?: readonly string[];
  /** The values of repeatable options, in order. No list is empty. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Runs a command and returns its exit code. Rejects with errors that `describeFailure` handles. */
type RunCommand = (args: ParsedArguments, context: CommandContext) => Promise<number>;

/** A command, for the parser and the help. */
export interface CommandSpec {
  readonly name: CommandName;
  /** The usage of its positional arguments, such as `[dir]`. */
  readonly positionals: string;
  /** A shorter usage for the list of all commands, if the full one is too wide. */
  readonly briefPositionals?: string;
  /** Whether the words after `--` are a command instead of positional arguments. */
  readonly takesCommand?: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly summary: string;
  readonly group: CommandGroup;
  /** Example command lines with a description each. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  readonly options: readonly OptionSpec[];
  /** Loads only this command's code. */
  load(): Promise<RunCommand>;
}
