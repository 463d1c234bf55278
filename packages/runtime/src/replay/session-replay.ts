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

/** How to run tools again during a replay. */
export interface LiveTools {
  /** The tools of the open agent. */
  readonly tools: readonly AgentTool[];
  /** Whether module tools are missing. If true, calls of unknown tools are skipped. */
  readonly isPartial?: boolean;
  /** The user's working directory. Absolute. */
  readonly cwd: string;
  /** Stops the calls and the replay. */
  readonly signal: AbortSignal;
  /** Writes a log line of a tool. Never rejects. */
  log(message: string): Promise<void>;
  /** Receives a result that differs from the recorded one, before the call's end event. */
  onDifference(difference: ToolDifference): void;
}

/** A recorded call that ran. */
export interface RunCall {
  /** As the author calls the tool. */
  readonly name: string;
  readonly arguments: JsonObject;
}

/** A recorded session that can be replayed. */
export interface Replay {
  readonly recording: Recording;
  /** The calls of a prompt that ran, in order. */
  calls(prompt: RecordedPrompt): readonly RunCall[];
  /** The changes in the agent since prompts were recorded. `tools` are all of its current tools; without them, module tools are unknown. */
  changes(prompts: readonly RecordedPrompt[], tools?: readonly AgentTool[]): readonly AgentChange[];
  /**
   * The events of a prompt as they were when it ran, but with one update per answer block and no tool updates. An
   * interrupted prompt has no `agent_end`. With `live`, its calls run again, concurrently as before; the prompt
   * continues with the recorded results. Rejects with `ReplayError`, or with the reason of the signal of `live`.
   */
  play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent>;
}

/** As `openReplay`. */
export function sessionReplay(directory: AgentDirectory, source: RecordingSource, dataDirectory: string): Replay {
  const recording = readRecording(readSource(dataDirectory, source));
  const known = knownTools(directory, definedTools(directory));

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
 * Runs the calls of a recorded prompt again with the recorded arguments. Calls that did not run then do not run now.
 * Rejects when the signal fires.
 */
function rerunCalls(
  prompt: number,
  registry: ToolRegistry,
  { signal, isPartial, onDifference }: LiveTools,
): (call: CallHistory) => Promise<void> {
  const known = new Set(registry.planned.map(({ wire }) => wire));
  return async (recorded) => {
    signal.throwIfAborted();
    const { step, call, result } = recorded;
    const isSkipped = isPartial && !known.has(call.name);
    if (result === undefined || wasNotRun(result) || isSkipped) return;
    const now = answerOf(await outcomeOf(recorded, registry, signal));
    signal.throwIfAborted();
    // The note about repeated calls comes from the loop, not from the tool.
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
    ? { content: [{ type: "text", text: "the call was denied when recorded, but would run now" }], isError: false }
    : registry.run(call, { session: "replay", signal, onUpdate: () => {} });
}

const answerOf = ({ content, isError }: ToolAnswer): ToolAnswer => ({ content, isError });
