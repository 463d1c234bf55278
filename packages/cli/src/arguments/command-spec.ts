import type { CommandContext } from "../command-context.ts";

/** The words that a command line begins with to run a command. In a file of its own, since the commands mention each other. */
export const COMMAND_NAMES = [
  "agent",
  "answer",
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

type CommandName = (typeof COMMAND_NAMES)[number];

/** Options that no command follows. */
export const GLOBAL: readonly string[] = ["help", "-h", "--help", "-v", "--version"];

/** The command that shell completions call. */
export const COMPLETE = "complete";

/** The purpose of a command; the help has a heading for each. */
export type CommandGroup = "run" | "write" | "look" | "trust" | "shell";

/** An option of a command; on the command line `--name`, and its value if it takes one. */
export interface OptionSpec {
  readonly name: string;
  /** A letter that means the same after one dash. */
  readonly short?: string;
  /** The placeholder of the value in the help; absent for a switch. */
  readonly value?: string;
  /** Whether it may be a switch as well; its value is written as `--name=value` alone. */
  readonly isValueOptional?: boolean;
  /** Whether it may be given more than once, and all its values count; they are `lists` then. */
  readonly isRepeatable?: boolean;
  readonly summary: string;
}

/** The parsed arguments of a command line. */
export interface ParsedArguments {
  readonly positionals: readonly string[];
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  /** What follows `--`, if the command takes that as a command of its own; absent without `--`. */
  readonly command?: readonly string[];
  /** The values of options that may be repeated, in the order of the command line. None is empty. */
  readonly lists: ReadonlyMap<string, readonly string[]>;
}

/** Runs a command and returns its exit code. Rejects with what `describeFailure` describes. */
type RunCommand = (args: ParsedArguments, context: CommandContext) => Promise<number>;

/** A command as the command line and the help know it. */
export interface CommandSpec {
  readonly name: CommandName;
  /** How its positional arguments are written, such as `[dir]`. */
  readonly positionals: string;
  /** The same for the list of all commands, where the whole would be too wide for it. */
  readonly briefPositionals?: string;
  /** Whether what follows `--` is a command, and no positional argument. */
  readonly takesCommand?: boolean;
  readonly minimum: number;
  readonly maximum: number;
  readonly summary: string;
  readonly group: CommandGroup;
  /** Command lines, and what each does. */
  readonly examples: readonly (readonly [command: string, does: string])[];
  readonly options: readonly OptionSpec[];
  /** Loads the command; the others are not loaded. */
  load(): Promise<RunCommand>;
}
