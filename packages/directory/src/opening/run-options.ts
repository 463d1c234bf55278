import type { ModelRun } from "../models/open-models.ts";
import type { PermissionFlags } from "../settings/run-settings.ts";

/** The user's options for one run of an agent. */
export interface RunOptions extends ModelRun, PermissionFlags {
  /** The agent, as the user wrote it. */
  readonly directory: string;
  /** The user's current folder. Absolute. */
  readonly cwd: string;
  /** The workspace. Absolute. Default: as in the directory's settings. */
  readonly workspace?: string;
  /** More folders that count as the workspace. Absolute. */
  readonly additionalDirectories?: readonly string[];
  /** The folder for sessions, state and logs. Absolute. Absent until it is chosen. */
  readonly data?: string;
  readonly isEphemeral: boolean;
  /** The session's id, or `new`. */
  readonly session?: string;
  /** Whether the session must exist. */
  readonly isExisting?: boolean;
  /** Continues the most recent session, of the workspace if there is one. */
  readonly isContinued: boolean;
  /** Finishes interrupted and queued prompts. */
  readonly isResumed: boolean;
  /** Waits while another process uses the session. */
  readonly isWaiting: boolean;
  readonly maxTurns?: number;
  /** The seconds that a question waits for an answer from any source; `Infinity`: no deadline. */
  readonly answersWithin?: number;
  /** A file with MCP servers that the agent has in this run, such as `.mcp.json`. Absolute. */
  readonly mcpConfig?: string;
  /** The same of the workspace's repository, which the user agreed to. Absolute. */
  readonly repositoryServers?: string;
}

/** A run without options, in a working directory. */
export const plainRun = (directory: string, cwd: string): RunOptions => ({
  directory,
  cwd,
  flags: {},
  allow: [],
  deny: [],
  allowsAll: false,
  isTrusted: false,
  isEphemeral: false,
  isContinued: false,
  isResumed: false,
  isWaiting: false,
});
