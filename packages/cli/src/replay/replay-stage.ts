import { dataOfRun, readRunnable, readTrusted } from "@mdx-ai/directory";
import type { AgentDirectory } from "@mdx-ai/parser";
import { openReplay, type RecordedPrompt, type Recording, type Replay } from "@mdx-ai/runtime";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { createJsonView, type EventView } from "../output/event-view.ts";
import { counted } from "../output/figures.ts";
import { openerOf } from "../trust/opener.ts";
import { ConversationView } from "./conversation-view.ts";
import type { ReplayRequest } from "./replay-request.ts";

/** A recording that is about to be played, or that another model is about to be asked for. */
export interface ReplayStage {
  readonly request: ReplayRequest;
  readonly context: CommandContext;
  /** Fires when the user, or the reader of the output, has enough. */
  readonly signal: AbortSignal;
  readonly directory: AgentDirectory;
  /** Holds its sessions, state and logs. Absolute. */
  readonly dataDirectory: string;
  readonly replay: Replay;
  /** Those that are wanted. */
  readonly prompts: readonly RecordedPrompt[];
}

/** Opens the recording that is asked for. Code of the directory runs live only, and then it must be trusted. */
export async function openStage(request: ReplayRequest, context: CommandContext): Promise<ReplayStage> {
  const { run, isLive, source, prompt } = request;
  const signal = AbortSignal.any([context.interruption.listen(), context.stdout.closed]);
  const directory = await (isLive ? readTrusted(run, openerOf(context, signal)) : readRunnable(run.directory, context));
  const dataDirectory = dataOfRun(run, directory, context);
  const replay = await openReplay(directory, source, dataDirectory);
  return {
    request,
    context,
    signal,
    directory,
    dataDirectory,
    replay,
    prompts: chosenPrompts(replay.recording, prompt),
  };
}

/** What shows the conversation of a replay. */
export const replayView = ({ request, context }: ReplayStage): EventView =>
  request.isJson ? createJsonView(context) : new ConversationView(context.stdout, context.environment);

/** The prompts of a recording that are wanted. Throws `UsageError` if there is none. */
function chosenPrompts({ prompts }: Recording, number: number | undefined): readonly RecordedPrompt[] {
  if (prompts.length === 0) throw new UsageError("there is no prompt in the recording");
  const chosen = prompts.filter((prompt) => number === undefined || prompt.number === number);
  if (chosen.length > 0) return chosen;
  const has = counted(prompts.length, "prompt");
  const numbers = prompts.map((prompt) => prompt.number);
  const isPartial = numbers.length < Math.max(...numbers);
  const gaps = isPartial ? "; those that were left by going back, or archived by /clear, are not played" : "";
  throw new UsageError(
    `there is no prompt ${number} in the recording; it has ${has}, the last is ${Math.max(...numbers)}${gaps}`,
  );
}
