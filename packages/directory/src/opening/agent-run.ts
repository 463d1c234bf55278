import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import type { ModelRun } from "../models/open-models.ts";
import { realFolder } from "../places/user-directories.ts";
import type { PermissionFlags } from "../settings/run-permissions.ts";

/** The user's options for one run of an agent. */
export interface AgentRun extends ModelRun, PermissionFlags {
  /** As the user wrote it. */
  readonly directory: string;
  /** Where the user is. Absolute. */
  readonly cwd: string;
  /** Where the user wants tools to work; if absent, the directory's settings say so. Absolute. */
  readonly workspace?: string;
  /** The folder for sessions, state and logs. Absolute; absent until it is chosen. */
  readonly data?: string;
  readonly isEphemeral: boolean;
  /** The session's id, or `new`. */
  readonly session?: string;
  /** Continues the session that was used last, of the workspace if there is one. */
  readonly isContinued: boolean;
  /** Finishes interrupted and queued prompts. */
  readonly isResumed: boolean;
  /** Waits while another process uses the session. */
  readonly isWaiting: boolean;
  readonly maxTurns?: number;
  /** A file with MCP servers that the agent has in this run, such as `.mcp.json`. Absolute. */
  readonly mcpConfig?: string;
}

/** A run without options, in a working directory. */
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

/** What decides where the tools of an agent work. */
export type WorkingDirectory = Pick<AgentDirectory, "path"> & {
  readonly definition: { readonly settings: Pick<AgentSettings, "workspace"> };
};

/**
 * The workspace of a run: what the user says, else what the directory's settings say. Absolute; undefined if tools work in the
 * agent directory, which is no workspace.
 */
export function workspaceOf(
  { workspace, cwd }: Pick<AgentRun, "workspace" | "cwd">,
  { path, definition }: WorkingDirectory,
): string | undefined {
  const chosen = workspace ?? (definition.settings.workspace === "cwd" ? cwd : undefined);
  return chosen === undefined || realFolder(chosen) === realFolder(path) ? undefined : chosen;
}

/** The folder in which the tools of a run work: its workspace, else the agent directory. Absolute. */
export const toolsFolder = (run: Pick<AgentRun, "workspace" | "cwd">, directory: WorkingDirectory): string =>
  workspaceOf(run, directory) ?? directory.path;

/** The name of a session that does not exist yet. */
export const NEW_SESSION = "new";
