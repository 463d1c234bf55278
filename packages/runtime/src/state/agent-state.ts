import { isRecord } from "../record.ts";

/** An agent's own counters, in `state/agent-state.json`. */
export interface AgentState {
  /** The version of this format. */
  readonly version: 1;
  /** How many prompts were run, in all sessions. */
  readonly promptCount: number;
  /** When the last prompt ended, ISO 8601 in UTC; absent before the first. */
  readonly lastUsed?: string;
}

/** The state of a new agent. */
export const newState: AgentState = { version: 1, promptCount: 0 };

/** The state after one more prompt, which ended at `time` (milliseconds since 1970). */
export function countPrompt(state: AgentState, time: number): AgentState {
  return { ...state, promptCount: state.promptCount + 1, lastUsed: new Date(time).toISOString() };
}

/** Whether a value is a state of this version. */
export function isAgentState(value: unknown): value is AgentState {
  if (!isRecord(value)) return false;
  const { version, promptCount, lastUsed } = value;
  return (
    version === newState.version &&
    Number.isSafeInteger(promptCount) &&
    Number(promptCount) >= 0 &&
    (lastUsed === undefined || (typeof lastUsed === "string" && !Number.isNaN(Date.parse(lastUsed))))
  );
}
