import { resolve } from "node:path";
import type { AgentRun } from "@mdx-ai/directory";
import type { RecordingSource } from "@mdx-ai/runtime";
import { readAgentRun } from "../arguments/agent-run.ts";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { numberOption } from "../arguments/number-option.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";

/** The options of a replay on the command line. */
export interface ReplayRequest {
  readonly source: RecordingSource;
  /** The number of the only prompt to play. */
  readonly prompt?: number;
  readonly isJson: boolean;
  /** `--live-tools`. */
  readonly isLive: boolean;
  /** `--yes`. */
  readonly isSure: boolean;
  /** Whether another model is asked; it is that of `run` then. */
  readonly isCompared: boolean;
  readonly run: AgentRun;
}

/** The flag that another flag needs to have an effect: calls that were recorded were decided about then. */
const NEEDS: readonly (readonly [flag: string, needed: string])[] = [
  ["yes", "live-tools"],
  ["sandbox", "live-tools"],
  ...["allow", "deny", "allow-all", "mode"].flatMap((flag) => [[flag, "live-tools"] as const, [flag, "with"] as const]),
];

function checkNeeds(args: ParsedArguments): void {
  const vain = NEEDS.find(([flag, needed]) => isGiven(args, flag) && !isGiven(args, needed));
  if (vain === undefined) return;
  const [flag, needed] = vain;
  throw new UsageError(`--${flag} means nothing without --${needed}; leave it out`);
}

const isGiven = ({ switches, values, lists }: ParsedArguments, name: string): boolean =>
  switches.has(name) || values.has(name) || lists.has(name);

/** Throws `UsageError`. */
export function readReplayRequest(args: ParsedArguments, context: CommandContext): ReplayRequest {
  const { values, switches } = args;
  const model = values.get("with");
  if (model === "") throw new UsageError('--with needs a model, and got ""');
  const prompt = numberOption(args, { name: "prompt", minimum: 1, isWhole: true });
  const isLive = switches.has("live-tools");
  checkNeeds(args);
  return {
    source: readSource(args, context),
    ...(prompt !== undefined && { prompt }),
    isJson: switches.has("json"),
    isLive,
    isSure: switches.has("yes"),
    isCompared: model !== undefined,
    run: readRun(args, model, context),
  };
}

function readSource({ values }: ParsedArguments, { currentDirectory }: CommandContext): RecordingSource {
  const session = values.get("session");
  const file = values.get("file");
  if (file === undefined) return { session: session ?? "main" };
  if (session !== undefined) throw new UsageError("--session and --file name two recordings; leave one out");
  if (file === "") throw new UsageError('--file needs a file, and got ""');
  return { file: resolve(currentDirectory, file) };
}

/** A run that leaves nothing behind. */
function readRun(args: ParsedArguments, model: string | undefined, context: CommandContext): AgentRun {
  const values = new Map([...args.values].filter(([name]) => name !== "session"));
  if (model !== undefined) values.set("model", model);
  return { ...readAgentRun({ ...args, values }, context), isEphemeral: true };
}
