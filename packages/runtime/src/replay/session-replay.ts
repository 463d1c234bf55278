import type { JsonObject } from "@mdx-ai/base";
import {
  type AgentEvent,
  type AgentTool,
  errorOutcome,
  type ToolAnswer,
  type ToolOutcome,
  type ToolRegistry,
  wasNotRun,
  withoutNote,
} from "@mdx-ai/loop";
import type { AgentDirectory } from "@mdx-ai/parser";
import {
  type CallHistory,
  conversationBefore,
  type RecordedPrompt,
  type Recording,
  type RecordingSource,
  readRecording,
  readSource,
  replayPrompt,
} from "@mdx-ai/sessions";
import { toolRegistry } from "@mdx-ai/tools";
import { definedTools, knownTools, recordedName } from "../recording/recorded-tools.ts";
import { type AgentChange, agentChanges } from "./agent-changes.ts";

/** A call whose result differs from the recorded one. */
export interface ToolDifference {
  readonly prompt: number;
  /** Such as "tool:3:call_1". */
  readonly step: string;
  /** As the author calls the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
  readonly recorded: ToolAnswer;
  readonly now: ToolAnswer;
}

/** How tools are run again during a replay. */
export interface LiveTools {
  /** Of the agent, open. */
  readonly tools: readonly AgentTool[];
  /** Whether those of modules are missing; calls that no tool answers are skipped then. */
  readonly isPartial?: boolean;
  /** The user's working directory. Absolute. */
  readonly cwd: string;
  /** Stops the calls, and the replay with them. */
  readonly signal: AbortSignal;
  /** Writes a line that a tool logs. Never rejects. */
  log(message: string): Promise<void>;
  /** Receives a result that is not the recorded one, before the event at the end of the call. */
  onDifference(difference: ToolDifference): void;
}

/** A call that a tool ran when it was recorded. */
export interface RunCall {
  /** As the author calls the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A recorded session that can be played. */
export interface Replay {
  readonly recording: Recording;
  /** The calls of a prompt that were run, in their order. */
  calls(prompt: RecordedPrompt): readonly RunCall[];
  /** The changes in the agent since prompts were recorded. Without `tools`, which are all of its tools, those of modules are unknown. */
  changes(prompts: readonly RecordedPrompt[], tools?: readonly AgentTool[]): readonly AgentChange[];
  /**
   * The events of a prompt, as they were when it ran, except for one update a block of an answer and none of running tools; a
   * prompt that was cut short has no `agent_end`. With `live` its calls are run again, side by side as they were; the prompt
   * continues with the recorded results. Rejects with `ReplayError`, or as the signal of `live` says.
   */
  play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent>;
}

/** As `openReplay`. */
export function sessionReplay(directory: AgentDirectory, source: RecordingSource, dataDirectory: string): Replay {
  const recording = readRecording(readSource(dataDirectory, source));
  const known = knownTools(directory, definedTools(directory, true));

  function play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent> {
    const conversation = conversationBefore(recording, prompt);
    if (live === undefined) return replayPrompt(prompt, { tools: known, conversation });
    const { tools, cwd, log } = live;
    const registry = toolRegistry(tools, { agentDir: directory.path, cwd, log: (message) => log(message) });
    const rerun = rerunCalls(prompt.number, registry, live);
    return replayPrompt(prompt, { tools: knownTools(directory, tools), conversation, rerun });
  }
  return {
    recording,
    play,
    calls: ({ history }) =>
      history.turns
        .flatMap(({ calls }) => calls)
        .filter(({ result }) => result !== undefined && !wasNotRun(result))
        .map(({ call }) => ({ name: recordedName(history, call.name, known), arguments: call.arguments })),
    changes: (prompts, tools) => agentChanges(prompts, { directory, dataDirectory, ...(tools && { tools }) }),
  };
}

/**
 * Runs the calls of a recorded prompt again, with the arguments that they had. Calls that were not run then are not run now.
 * Rejects when the signal fires.
 */
function rerunCalls(
  prompt: number,
  registry: ToolRegistry,
  { signal, isPartial, onDifference }: LiveTools,
): (call: CallHistory) => Promise<void> {
  const known = new Set(registry.schemas.map(({ name }) => name));
  return async (recorded) => {
    signal.throwIfAborted();
    const { step, call, result } = recorded;
    const isSkipped = isPartial && !known.has(call.name);
    if (result === undefined || wasNotRun(result) || isSkipped) return;
    const now = answerOf(await outcomeOf(recorded, registry, signal));
    signal.throwIfAborted();
    // The loop adds the note about repeated calls, not the tool.
    const then = answerOf(withoutNote(result));
    // Both are JSON.
    if (JSON.stringify(then) === JSON.stringify(now)) return;
    onDifference({ prompt, step, name: registry.nameOf(call.name), arguments: call.arguments, recorded: then, now });
  };
}

async function outcomeOf(
  { call, decision }: CallHistory,
  registry: ToolRegistry,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const refusal = registry.refusal(call);
  if (refusal !== undefined) return errorOutcome(refusal);
  return typeof decision === "object"
    ? { content: [{ type: "text", text: "the call was refused then, and would be run today" }], isError: false }
    : registry.run(call, { session: "replay", signal, onUpdate: () => {} });
}

const answerOf = ({ content, isError }: ToolAnswer): ToolAnswer => ({ content, isError });
