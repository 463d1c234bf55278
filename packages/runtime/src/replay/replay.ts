import type { ImageContent, JsonObject, TextContent } from "@mdx-ai/models";
import type { AgentOptions } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { AgentTool } from "../types/tool.ts";
import type { AgentChange } from "./agent-changes.ts";
import type { RecordedPrompt, Recording } from "./recording.ts";

/** What a model receives for a call. */
export interface ToolAnswer {
  readonly content: readonly (TextContent | ImageContent)[];
  readonly isError: boolean;
}

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

/** How tools are run again beside a replay. */
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
  /** What has changed in the agent since prompts were recorded. Without `tools`, which are all of its tools, those of modules are unknown. */
  changes(prompts: readonly RecordedPrompt[], tools?: readonly AgentTool[]): readonly AgentChange[];
  /**
   * The events of a prompt, as they were when it ran, but for one update a block of an answer and none of running tools; a
   * prompt that was cut short has no `agent_end`. With `live` its calls are run again, side by side as they were; the prompt
   * continues with the recorded results. Rejects with `ReplayError`, or as the signal of `live` says.
   */
  play(prompt: RecordedPrompt, live?: LiveTools): AsyncIterable<AgentEvent>;
}

export interface ComparisonOptions {
  readonly recording: Recording;
  /** With the model to ask. The agent leaves nothing behind, and runs no triggers. */
  readonly agent: Omit<AgentOptions, "ephemeral" | "wakes">;
  /** Whether calls that were not recorded are run, and modules and code in the prose with them; else they are errors. */
  readonly isLive: boolean;
}

/** How the calls of a model were answered. */
export interface CallCounts {
  readonly recorded: number;
  /** Not recorded: run, or an error. */
  readonly others: number;
}

/** Another model, which is asked what a recorded session was asked. */
export interface Comparison {
  /**
   * Asks the model for a prompt, in one conversation with those that it was asked for before. What the user said while the
   * prompt ran is said at its beginning. Events are those of any other prompt.
   */
  ask(prompt: RecordedPrompt, signal: AbortSignal): AsyncIterable<AgentEvent>;
  /** How calls were answered so far. */
  readonly calls: CallCounts;
  /** Never rejects. */
  close(): Promise<void>;
}
