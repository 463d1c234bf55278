import {
  type AgentEvent,
  allowAllGate,
  type Conversation,
  type PromptEffects,
  runPrompt,
  type ToolRegistry,
} from "@mdx-ai/loop";
import type { CallHistory, PromptHistory } from "../history/prompt-history.ts";
import { EventChannel } from "../hosts/event-channel.ts";
import { RecordingEndError, ReplayError } from "../hosts/replay-error.ts";
import { type ReplayHost, replayHost } from "../hosts/replay-host.ts";
import { promptMessages } from "../session/transcript.ts";
import type { RecordedPrompt } from "./recording.ts";

export interface PromptReplayOptions {
  /** Looks up the names of tools. */
  readonly tools: ToolRegistry;
  /** The conversation when the prompt began. The replay appends to it. */
  readonly conversation: Conversation;
  /** Runs a call again, before its recorded result is used. Restarts for each prompt. */
  readonly rerun?: (call: CallHistory) => Promise<void>;
}

/**
 * Replays a recorded prompt: the loop runs it again with the recorded step results. The events are as they were, ids
 * included, but with one update per answer block and no tool updates. The events of an interrupted prompt end
 * without `agent_end`, unless it was cancelled there. Throws `ReplayError`, or what `rerun` rejects with.
 */
export async function* replayPrompt(
  prompt: RecordedPrompt,
  { tools, conversation, rerun }: PromptReplayOptions,
): AsyncGenerator<AgentEvent, void, undefined> {
  const { history } = prompt;
  const channel = new EventChannel();
  const host = replayHost({
    lines: history.lines,
    rerun: rerun && rerunOf(history, rerun),
    emit: (event) => channel.send(event),
  });
  const playing = play(prompt, host, { tools, conversation }).finally(() => channel.end());
  playing.catch(() => {});
  yield* channel.events();
  await playing;
}

function rerunOf({ turns }: PromptHistory, rerun: (call: CallHistory) => Promise<void>) {
  const calls = new Map(turns.flatMap((turn) => turn.calls).map((call) => [call.step, call]));
  return async (step: string): Promise<void> => {
    const call = calls.get(step);
    if (call) await rerun(call);
  };
}

async function play(
  { number, isCancelled, history, cost }: RecordedPrompt,
  host: ReplayHost,
  { tools, conversation }: PromptReplayOptions,
): Promise<void> {
  try {
    await runPrompt(host, { ...UNTOUCHED, tools }, { prompt: number, conversation });
  } catch (error) {
    if (!(error instanceof RecordingEndError)) throw error;
    const id = host.nextId();
    if (isCancelled) host.emit({ type: "agent_end", messages: promptMessages(history), outcome: "aborted", cost, id });
    return;
  }
  const [first, ...more] = host.unused();
  if (first === undefined) return;
  const others = more.length === 0 ? "" : ` and ${more.length} more`;
  throw new ReplayError(`prompt ${number}: the loop did not ask for step ${first}${others} of the recording`);
}

/** Services that must not be used, since every step result is recorded. */
const UNTOUCHED: Omit<PromptEffects, "tools"> = {
  begin: async () => outside("the beginning"),
  system: "",
  session: "replay",
  gate: allowAllGate,
  hooks: {
    beforePrompt: async () => outside("a hook"),
    beforeTool: async () => outside("a hook"),
    afterTool: async () => outside("a hook"),
    beforeEnd: async () => outside("a hook"),
    afterPrompt: async () => outside("a hook"),
  },
  skills: () => ({ keeps: () => false, isContext: () => false, skillTexts: async () => [] }),
  skillContexts: () => outside("a skill"),
  modelAt: () => outside("a model"),
  spend: async () => outside("the usage log"),
  journaledRefusal: async () => outside("a call"),
  now: () => outside("the clock"),
  warn: () => {},
};

function outside(what: string): never {
  throw new ReplayError(`a replay asked for ${what}`);
}
