import { type PreparedRun, prepareRun, type RunOptions, readRunnable, readTrusted } from "@mdx-ai/directory";
import { contentText, plainLine, plainText } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { Message } from "@mdx-ai/models";
import { openReplay, type Replay, type RunCall } from "@mdx-ai/runtime";
import type { RecordedPrompt, Recording, RecordingSource } from "@mdx-ai/sessions";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { interrupted, UsageError } from "../failures/program-error.ts";
import { createJsonView, type EventView, TextView } from "../output/event-views.ts";

/** The options of a replay. */
export interface ReplayRequest {
  readonly source: RecordingSource;
  /** The number of a single prompt to replay. */
  readonly prompt?: number;
  readonly isJson: boolean;
  /** `--live-tools`. */
  readonly isLive: boolean;
  /** `--yes`. */
  readonly isSure: boolean;
  /** Whether the model of `run` is compared with the recorded one. */
  readonly isCompared: boolean;
  readonly run: RunOptions;
}

/** An opened recording, ready to be replayed or compared. */
export interface ReplayStage {
  readonly request: ReplayRequest;
  readonly context: CommandContext;
  /** Fires when the user or the reader of the output leaves. */
  readonly signal: AbortSignal;
  readonly run: PreparedRun;
  readonly replay: Replay;
  /** The chosen prompts. */
  readonly prompts: readonly RecordedPrompt[];
}

/** Opens the requested recording. Code of the directory runs only with `--live-tools`, which requires trust. */
export async function openStage(request: ReplayRequest, context: CommandContext): Promise<ReplayStage> {
  const { run: options, isLive, source, prompt } = request;
  const signal = AbortSignal.any([context.interruption.listen(), context.stdout.closed]);
  const directory = await (isLive
    ? readTrusted(options, trustOptions(context, signal))
    : readRunnable(options.directory, context));
  const run = await prepareRun(options, directory, context);
  const replay = await openReplay(directory, source, run.data);
  return {
    request,
    context,
    signal,
    run,
    replay,
    prompts: chosenPrompts(replay.recording, prompt),
  };
}

/** The view of a replayed conversation. */
export const replayView = ({ request, context }: ReplayStage): EventView =>
  request.isJson ? createJsonView(context) : new ConversationView(context.stdout, context.environment);

/** The chosen prompts of a recording. Throws `UsageError` if there are none. */
function chosenPrompts({ prompts }: Recording, number: number | undefined): readonly RecordedPrompt[] {
  if (prompts.length === 0) throw new UsageError("there is no prompt in the recording");
  const chosen = prompts.filter((prompt) => number === undefined || prompt.number === number);
  if (chosen.length > 0) return chosen;
  const has = counted(prompts.length, "prompt");
  const numbers = prompts.map((prompt) => prompt.number);
  const isPartial = numbers.length < Math.max(...numbers);
  const gaps = isPartial ? "; prompts that were rewound, or archived by /clear, are not played" : "";
  throw new UsageError(
    `there is no prompt ${number} in the recording; it has ${has}, the last is ${Math.max(...numbers)}${gaps}`,
  );
}

export interface LiveToolsQuestion {
  /** One line that says what will run. */
  readonly what: string;
  /** `--yes`. */
  readonly isSure: boolean;
  /** Withdraws the question. */
  readonly signal: AbortSignal;
}

/** Which calls may run: none, all, or those that need no question. */
export type AllowedCalls = "none" | "all" | "permitted";

/**
 * Shows which tools will run and, on a terminal, asks for permission. Rejects with `ProgramError` (interrupted) if the question is aborted.
 */
export async function allowLiveTools(
  { what, isSure, signal }: LiveToolsQuestion,
  context: CommandContext,
): Promise<AllowedCalls> {
  context.stderr.write(`mdx-ai: ${plainLine(what)}\n`);
  if (isSure) return "all";
  if (!context.canAsk) return "permitted";
  await context.stderr.flush();
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: "Continue?", initialValue: false, output: process.stderr, signal });
  if (isCancel(answer)) throw interrupted();
  if (!answer) context.stderr.write("Nothing was run.\n");
  return answer ? "all" : "none";
}

/** The tools that run again: "tools run again for real, with all their effects: bash (2 times), get_weather". */
export function rerunText(calls: readonly RunCall[]): string {
  const counts = [...Map.groupBy(calls, ({ name }) => name)].map(([name, { length }]) =>
    length === 1 ? name : `${name} (${length} times)`,
  );
  return counts.length === 0
    ? "no tool runs again"
    : `tools run again for real, with all their effects: ${counts.join(", ")}`;
}

/** Shows a whole conversation on one output: user messages, tool activity and answers. */
class ConversationView extends TextView {
  override show(event: AgentEvent): void {
    super.show(event);
    if (event.type === "message_end") this.#say(event.message);
  }

  #say(message: Message): void {
    if (message.role === "user") this.showAnswer(inputText(contentText(message.content)));
    else if (message.role === "assistant" && message.stopReason !== "error") this.showAnswer(answerText([message]));
  }
}

/** Marks input, to distinguish it from answers. */
const inputText = (text: string): string =>
  plainText(text)
    .split("\n")
    .map((line, index) => `${index === 0 ? ">" : " "} ${line}`.trimEnd())
    .join("\n");
