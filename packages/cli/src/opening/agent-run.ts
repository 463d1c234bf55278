import type { ParsedArguments } from "../arguments/command-spec.ts";
import { type ModelChoice, readModelChoice } from "../arguments/model-flags.ts";
import { numberOption } from "../arguments/number-option.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/usage-error.ts";
import { NEW_SESSION } from "./choose-session.ts";
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
  /** `--resume`. */
  readonly isResumed: boolean;
  readonly maxTurns?: number;
}

/** Throws `UsageError`. */
export function readAgentRun(args: ParsedArguments, context: CommandContext): AgentRun {
  const session = args.values.get("session");
  const maxTurns = numberOption(args, { name: "max-turns", minimum: 1, isWhole: true });
  checkSessionWords(args);
  return {
    directory: args.positionals[0] ?? ".",
    cwd: workingDirectory(args, context),
    isTrusted: args.switches.has("trust"),
    isEphemeral: args.switches.has("ephemeral"),
    isContinued: args.switches.has("continue"),
    isResumed: args.switches.has("resume"),
    ...(session !== undefined && { session }),
    ...readModelChoice(args),
    ...(maxTurns !== undefined && { maxTurns }),
  };
}

/** Refuses words on sessions that contradict each other. */
function checkSessionWords({ values, switches }: ParsedArguments): void {
  const session = values.get("session");
  const named = [
    ...(session === undefined ? [] : ["--session"]),
    ...(switches.has("continue") ? ["--continue"] : []),
    ...(switches.has("resume") ? ["--resume"] : []),
  ];
  if (switches.has("ephemeral") && named.length > 0) {
    throw new UsageError(`--ephemeral keeps no session, so that ${named[0]} has no meaning beside it; leave one out`);
  }
  if (session === undefined) return;
  if (switches.has("continue")) throw new UsageError("--session and --continue name two sessions; leave one out");
  if (session === NEW_SESSION && switches.has("resume")) {
    throw new UsageError(`in a new session nothing can be resumed; name the one that is meant with --session ID`);
  }
}
