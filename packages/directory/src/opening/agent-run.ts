import type { ModelRun } from "../models/open-models.ts";
import type { PermissionFlags } from "../settings/permission-flags.ts";

/** What the user says of one run of an agent. */
export interface AgentRun extends ModelRun, PermissionFlags {
  /** As the user wrote it. */
  readonly directory: string;
  /** Where tools work. Absolute. */
  readonly cwd: string;
  /** The folder for sessions, state and logs. Absolute; absent until it is chosen. */
  readonly data?: string;
  readonly isEphemeral: boolean;
  /** The session's id, or `new`. */
  readonly session?: string;
  /** The session is the one that was used last. */
  readonly isContinued: boolean;
  /** What was interrupted or waits in the queue is finished. */
  readonly isResumed: boolean;
  /** Waits while another process uses the session. */
  readonly isWaiting: boolean;
  readonly maxTurns?: number;
}

/** A run that says nothing, in a working directory. */
export const plainRun = (directory: string, cwd: string): AgentRun => ({
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
