import type { AgentOptions } from "../types/agent.ts";
import type { AgentEvent } from "../types/event.ts";
import type { RecordedPrompt, Recording } from "./recording.ts";

export interface ComparisonOptions {
  readonly recording: Recording;
  /** With the model that is to be asked. The agent leaves nothing behind, and does not wake by itself. */
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
