import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { type ModelChoice, readModelChoice } from "../arguments/model-flags.ts";
import { numberOption } from "../arguments/number-option.ts";
import { type PermissionFlags, readPermissionFlags } from "../arguments/permission-flags.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/usage-error.ts";
import { dataOption } from "./data-directory.ts";
import { checkSessionWords } from "./session-words.ts";

/** The command line of a run, checked as far as possible without reading the directory. */
export interface AgentRun extends ModelChoice, PermissionFlags {
  /** As the user wrote it. */
  readonly directory: string;
  /** Absolute. */
  readonly cwd: string;
  /** `--data`, absolute; the directory with sessions, state and logs once that is known. */
  readonly data?: string;
  /** `--trust`. */
  readonly isTrusted: boolean;
  readonly isEphemeral: boolean;
  /** The session's id, or `new`. */
  readonly session?: string;
  /** `--continue`. */
  readonly isContinued: boolean;
  /** `--resume`. */
  readonly isResumed: boolean;
  /** `--wait`. */
  readonly isWaiting: boolean;
  readonly maxTurns?: number;
}

/** Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, context: CommandContext): AgentRun {
  const session = args.values.get("session");
  const data = dataOption(args, context);
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  checkSessionWords(args);
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workingDirectory(args, context),
    isTrusted: args.switches.has("trust"),
    isEphemeral: args.switches.has("ephemeral"),
    isContinued: args.switches.has("continue"),
    isResumed: args.switches.has("resume"),
    isWaiting: args.switches.has("wait"),
    ...(session !== undefined && { session }),
    ...(data !== undefined && { data }),
    ...readModelChoice(args),
    ...readPermissionFlags(args),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}

/** Where tools work: `--cwd`, else the current folder. */
function workingDirectory({ values }: ParsedArguments, { currentDirectory }: CommandContext): string {
  const given = values.get("cwd") ?? ".";
  const path = resolve(currentDirectory, given);
  if (given !== "" && statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--cwd ${given === "" ? '""' : path} is no folder`);
}
