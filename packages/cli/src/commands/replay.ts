import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { loadEnvFile } from "../input/env-file.ts";
import { readReplayRequest } from "../replay/replay-request.ts";

/** `mdx-ai replay`: plays a recorded session, optionally with its tools run again, or with another model. */
export async function runReplay(args: ParsedArguments, context: CommandContext): Promise<number> {
  const request = readReplayRequest(args, context);
  loadEnvFile(args, context);
  if (request.isCompared) {
    const { compareModel } = await import("../replay/compare-model.ts");
    return compareModel(request, context);
  }
  const { playRecording } = await import("../replay/play-recording.ts");
  return playRecording(request, context);
}
