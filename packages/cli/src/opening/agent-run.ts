import type { ParsedArguments } from "../arguments/command-spec.ts";
import { type ModelChoice, readModelChoice } from "../arguments/model-flags.ts";
import { numberOption } from "../arguments/number-option.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/usage-error.ts";
import { workingDirectory } from "./working-directory.ts";

/** What the command line says of a run, checked as far as it can be without reading the directory. */
export interface AgentRun extends ModelChoice {
  /** As the user wrote it. */
  readonly directory: string;
  /** Absolute. */
  readonly cwd: string;
  /** `--trust`. */
  readonly isTrusted: boolean;
  readonly isEphemeral: boolean;
  readonly session?: string;
  readonly maxTurns?: number;
}

/** Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, context: CommandContext): AgentRun {
  const session = args.values.get("session");
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  const isEphemeral = args.switches.has("ephemeral");
  if (isEphemeral && session !== undefined) {
    throw new UsageError("--ephemeral keeps no session, so that --session has no meaning beside it; leave one out");
  }
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workingDirectory(args, context),
    isTrusted: args.switches.has("trust"),
    isEphemeral,
    ...(session !== undefined && { session }),
    ...readModelChoice(args),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}
