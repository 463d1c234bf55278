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
  /** The session's id, or `new`. */
  readonly session?: string;
  /** `--continue`. */
  readonly isContinued: boolean;
  readonly maxTurns?: number;
}

/** Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, context: CommandContext): AgentRun {
  const session = args.values.get("session");
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  const isEphemeral = args.switches.has("ephemeral");
  const isContinued = args.switches.has("continue");
  const named = [session !== undefined && "--session", isContinued && "--continue"].filter((name) => name !== false);
  if (isEphemeral && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so that ${named[0]} has no meaning beside it; leave one out`);
  }
  if (named.length > 1) throw new UsageError("--session and --continue name two sessions; leave one out");
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workingDirectory(args, context),
    isTrusted: args.switches.has("trust"),
    isEphemeral,
    isContinued,
    ...(session !== undefined && { session }),
    ...readModelChoice(args),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}
