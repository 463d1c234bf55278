import { dirname, join } from "node:path";
import { sweepDrafts } from "../files/drafts.ts";
import { errorCode } from "../files/error-code.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { refuseLinks } from "../files/refuse-links.ts";
import { jsonValue } from "../json-value.ts";
import { lineText } from "../log/line-text.ts";
import type { Clock } from "../types/agent.ts";
import { type AgentState, isAgentState, newState } from "./agent-state.ts";
import { setAside } from "./set-aside.ts";
import { writeWhole } from "./write-whole.ts";

export interface StateOptions {
  readonly clock: Clock;
  /** Told what is wrong with the file; one line. */
  readonly onWarning?: (message: string) => void;
}

/**
 * The state of `agentDir` (absolute), or a new one where there is none yet. A file that cannot be understood is renamed to
 * `agent-state.broken-<time>.json` with a warning, so that nothing is lost. Never rejects.
 */
export async function loadState(agentDir: string, options: StateOptions): Promise<AgentState> {
  const path = statePath(agentDir);
  try {
    refuseLinks([dirname(path), path]);
    sweepDrafts(dirname(path));
    const value = jsonValue(readWholeFile(path).toString("utf8"));
    if (isAgentState(value)) return value;
    options.onWarning?.(setAside(path, options.clock.now()));
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      options.onWarning?.(`state/agent-state.json could not be read: ${lineText(error)}`);
  }
  return newState;
}

/**
 * Replaces the state of `agentDir` (absolute) in one move; of two processes, the last to save wins.
 * A failure is a warning. Never rejects.
 */
export async function saveState(
  agentDir: string,
  state: AgentState,
  onWarning?: (message: string) => void,
): Promise<void> {
  try {
    refuseLinks([join(agentDir, "state")]);
    await writeWhole(statePath(agentDir), `${JSON.stringify(state, null, 2)}\n`);
  } catch (error) {
    onWarning?.(`state/agent-state.json could not be written: ${lineText(error)}`);
  }
}

const statePath = (agentDir: string): string => join(agentDir, "state", "agent-state.json");
