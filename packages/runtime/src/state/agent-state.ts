import { closeSync, constants, fchmodSync, fstatSync, openSync, writeSync } from "node:fs";
import { type Clock, dataLayout, errorCode, failureText, isRecord, jsonValue, lineText } from "@mdx-ai/base";
import {
  isNewer,
  makePrivateFolder,
  newerText,
  readWholeFile,
  refuseLinks,
  removeTempFiles,
  replaceFileSync,
  setAside,
} from "@mdx-ai/base/disk";

/** An agent's counters, in `state/agent-state.json`. */
export interface AgentState {
  /** The version of this format. */
  readonly version: 1;
  /** The number of prompts, over all sessions. */
  readonly promptCount: number;
  /** When the last prompt ended, ISO 8601 in UTC; absent before the first. */
  readonly lastUsed?: string;
}

/** The state of a new agent. */
export const newState: AgentState = { version: 1, promptCount: 0 };

/** The state after one more prompt that ended at `time` (milliseconds since 1970). */
export function countPrompt(state: AgentState, time: number): AgentState {
  return { ...state, promptCount: state.promptCount + 1, lastUsed: new Date(time).toISOString() };
}

/** Whether a value is a state of this version. */
function isAgentState(value: unknown): value is AgentState {
  if (!isRecord(value)) return false;
  const { version, promptCount, lastUsed } = value;
  return (
    version === newState.version &&
    Number.isSafeInteger(promptCount) &&
    Number(promptCount) >= 0 &&
    (lastUsed === undefined || (typeof lastUsed === "string" && !Number.isNaN(Date.parse(lastUsed))))
  );
}

interface StateOptions {
  readonly clock: Clock;
  /** Called with one line for each problem with the file. */
  readonly onWarning?: (message: string) => void;
}

/**
 * Reads the state in `dataDir` (absolute), or returns a new one if there is none. If a newer version wrote it, warns and returns undefined: it
 * must not be replaced. An invalid file is renamed to `agent-state.broken-<time>.json` with a warning, so that
 * nothing is lost. Never throws.
 */
export function loadState(dataDir: string, { clock, onWarning }: StateOptions): AgentState | undefined {
  const { state: folder, agentState: path } = dataLayout(dataDir);
  try {
    refuseLinks([folder, path]);
    removeTempFiles(folder);
    const value = jsonValue(readWholeFile(path).toString("utf8"));
    if (isAgentState(value)) return value;
    if (isRecord(value) && isNewer(value["version"], newState.version)) {
      onWarning?.(newerText("state/agent-state.json"));
      return undefined;
    }
    onWarning?.(setAside(path, clock.now()));
  } catch (error) {
    if (errorCode(error) !== "ENOENT")
      onWarning?.(`state/agent-state.json could not be read: ${lineText(failureText(error))}`);
  }
  return newState;
}

/**
 * Saves the state in `dataDir` (absolute) atomically; the last process to save wins. Not synced: a count of prompts
 * is not worth a wait for the disk after each of them. A failure is a warning. Never throws.
 */
export function saveState(dataDir: string, state: AgentState, onWarning?: (message: string) => void): void {
  const { state: folder, agentState: path } = dataLayout(dataDir);
  const text = `${JSON.stringify(state, null, 2)}\n`;
  try {
    makePrivateFolder(folder);
    if (!overwrite(path, text)) replaceFileSync({ path, text, isDispensable: true });
  } catch (error) {
    onWarning?.(`state/agent-state.json could not be written: ${lineText(failureText(error))}`);
  }
}

/** Does not follow a link or block on a pipe. */
const OVERWRITE = constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Overwrites a file in place: a sandbox protects the file, not its name, so replacing the file
 * would end the protection and every waiting tool process. Returns false if the file must be replaced instead: it is
 * missing, has other names, or is longer. A single write of less than a page leaves the old or the new text, even
 * if this process is killed.
 */
function overwrite(path: string, text: string): boolean {
  const bytes = Buffer.from(text);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, OVERWRITE);
    const stats = fstatSync(descriptor);
    if (!stats.isFile() || stats.nlink > 1 || stats.size > bytes.length) return false;
    fchmodSync(descriptor, 0o600);
    return writeSync(descriptor, bytes, 0, bytes.length, 0) === bytes.length;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
