import { makeOwnFolder, refuseLinks } from "../files/check-paths.ts";
import { sweepDrafts } from "../files/drafts.ts";
import { errorCode } from "../files/error-code.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { replaceFileSync } from "../files/replace-file.ts";
import { jsonValue } from "../json-value.ts";
import { dataLayout } from "../layout.ts";
import { lineText } from "../log/line-text.ts";
import type { Clock } from "../types/agent.ts";
import { type AgentState, isAgentState, newState } from "./agent-state.ts";
import { setAside } from "./set-aside.ts";

export interface StateOptions {
  readonly clock: Clock;
  /** Called with one line for each problem with the file. */
  readonly onWarning?: (message: string) => void;
}

/**
 * The state in `dataDir` (absolute), or a new one if there is none yet. A file that cannot be understood is renamed to
 * `agent-state.broken-<time>.json` with a warning, so that nothing is lost. Never rejects.
 */
export async function loadState(dataDir: string, { clock, onWarning }: StateOptions): Promise<AgentState> {
  const { state: folder, agentState: path } = dataLayout(dataDir);
  try {
    refuseLinks([folder, path]);
    sweepDrafts(folder);
    const value = jsonValue(readWholeFile(path).toString("utf8"));
    if (isAgentState(value)) return value;
    onWarning?.(setAside(path, clock.now()));
  } catch (error) {
    if (errorCode(error) !== "ENOENT") onWarning?.(`state/agent-state.json could not be read: ${lineText(error)}`);
  }
  return newState;
}

/**
 * Replaces the state in `dataDir` (absolute) in one move; of two processes, the last to save wins. Not synced: a count of prompts
 * is not worth a wait for the disk after each of them. A failure is a warning. Never throws.
 */
export function saveState(dataDir: string, state: AgentState, onWarning?: (message: string) => void): void {
  const { state: folder, agentState: path } = dataLayout(dataDir);
  try {
    makeOwnFolder(folder);
    replaceFileSync({ path, text: `${JSON.stringify(state, null, 2)}\n`, isDispensable: true });
  } catch (error) {
    onWarning?.(`state/agent-state.json could not be written: ${lineText(error)}`);
  }
}
