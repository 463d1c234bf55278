import { resolve } from "node:path";
import type { RunOptions } from "@mdx-ai/directory";
import type { RecordingSource } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { dataOption, numberOption, textOption } from "../arguments/option-values.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import type { ReplayRequest } from "../replay/replay-stage.ts";
import { newestSessionOf } from "../sessions/newest-session.ts";

/** `mdx-ai replay`: replays a recorded session, optionally running its tools again or using another model. */
export async function runReplay(args: ParsedArguments, context: CommandContext): Promise<number> {
  const request = readReplayRequest(args, context);
  if (request.isCompared) {
    const { compareModel } = await import("../replay/compare-model.ts");
    return compareModel(request, context);
  }
  const { playRecording } = await import("../replay/play-recording.ts");
  return playRecording(request, context);
}

/** Flags that only work with another flag. */
const NEEDS: readonly (readonly [flag: string, needed: string])[] = [
  ["yes", "live-tools"],
  ["sandbox", "live-tools"],
  ...["allow", "deny", "allow-all", "mode"].flatMap((flag) => [[flag, "live-tools"] as const, [flag, "with"] as const]),
];

function checkNeeds(args: ParsedArguments): void {
  const vain = NEEDS.find(([flag, needed]) => isGiven(args, flag) && !isGiven(args, needed));
  if (vain === undefined) return;
  const [flag, needed] = vain;
  throw new UsageError(`--${flag} has no effect without --${needed}; leave it out`);
}

const isGiven = ({ switches, values, lists }: ParsedArguments, name: string): boolean =>
  switches.has(name) || values.has(name) || lists.has(name);

/** Throws `UsageError`. */
export function readReplayRequest(args: ParsedArguments, context: CommandContext): ReplayRequest {
  const { switches } = args;
  const model = textOption(args, "with", "a model");
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

function readSource(args: ParsedArguments, context: CommandContext): RecordingSource {
  const session = args.values.get("session");
  const file = textOption(args, "file", "a file");
  if (file === undefined) {
    const [directory = "."] = args.positionals;
    return { session: session ?? newestSessionOf(directory, dataOption(args, context), context) };
  }
  if (session !== undefined) throw new UsageError("--session and --file name two recordings; leave one out");
  return { file: resolve(context.currentDirectory, file) };
}

/** A run that stores nothing. */
function readRun(args: ParsedArguments, model: string | undefined, context: CommandContext): RunOptions {
  const values = new Map([...args.values].filter(([name]) => name !== "session"));
  if (model !== undefined) values.set("model", model);
  return { ...readRunOptions({ ...args, values }, context), isEphemeral: true };
}
