import type { JsonObject } from "@mdx-ai/models";
import type { AgentEvent } from "../types/event.ts";
import type { AgentTool } from "../types/tool.ts";
import type { AgentChange } from "./agent-changes.ts";
import type { RecordedPrompt, Recording } from "./recording.ts";
import type { ToolDifference } from "./tool-difference.ts";

/** Where a recording is: a session of the agent directory, or a file that holds the lines of one. Absolute. */
export type RecordingSource = { readonly session: string } | { readonly file: string };

/** How tools are run again beside a replay. */
export interface LiveTools {
  /** Of the agent, open. */
  readonly tools: readonly AgentTool[];
  /** Whether those of modules are missing, so that calls that none of them answers are passed over. */
  readonly isPartial?: boolean;
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** Stops the calls, and the replay with them. */
  readonly signal: AbortSignal;
  /** Writes a line that a tool logs. Never rejects. */
  log(message: string): Promise<void>;
  /** Told of a result that is not the recorded one, before the event that tells the end of the call. */
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
  /** What of the agent has changed since prompts were recorded. Without `tools`, all that there are, those of modules are not known. */
  changes(prompts: readonly RecordedPrompt[], tools?: readonly AgentTool[]): readonly AgentChange[];
  /**
   * The events of a prompt, as they were when it ran, but for one update a block of an answer and none of running tools; a
   * prompt that was cut short has no `agent_end`. With `live` its calls are run again, side by side as they were; what goes on
   * is the recorded result. Rejects with `ReplayError`, or as the signal of `live` says.
   */
  play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent>;
}
