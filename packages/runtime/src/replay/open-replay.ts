import type { AgentDirectory } from "@mdx-ai/parser";
import type { AgentEvent } from "../types/event.ts";
import type { AgentTool } from "../types/tool.ts";
import type { AgentChange } from "./agent-changes.ts";
import type { ToolDifference } from "./live-calls.ts";
import type { RecordedPrompt } from "./recording.ts";

/** Where a recording is: a session of the agent directory, or a file that holds the lines of one. Absolute. */
export type RecordingSource = { readonly session: string } | { readonly file: string };

/** How tools are run again beside a replay. */
export interface LiveTools {
  /** Of the agent, open. */
  readonly tools: readonly AgentTool[];
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** Stops the calls, and the replay with them. */
  readonly signal: AbortSignal;
  /** Writes a line that a tool logs. Never rejects. */
  log(message: string): Promise<void>;
  /** Told of a result that is not the recorded one, before the event that tells the end of the call. */
  onDifference(difference: ToolDifference): void;
}

export interface ReplayOptions {
  readonly directory: AgentDirectory;
  readonly source: RecordingSource;
  readonly live?: LiveTools;
}

/** A recorded session that can be played. */
export interface Replay {
  readonly prompts: readonly RecordedPrompt[];
  /** What of the agent has changed since these prompts. */
  changes(prompts: readonly RecordedPrompt[]): readonly AgentChange[];
  /** As `replayPrompt`. */
  play(prompt: RecordedPrompt): AsyncIterable<AgentEvent>;
}

/**
 * Opens a recorded session for a replay: no model is asked, no code of the directory is run, and no tool but those of
 * `live`. Rejects with `ReplayError`, `JournalError`, `SessionIdError` or `UnknownSessionError`.
 */
export async function openReplay(options: ReplayOptions): Promise<Replay> {
  const { sessionReplay } = await import("./session-replay.ts");
  return sessionReplay(options);
}
