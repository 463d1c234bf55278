import { realPlaceOrSame } from "@mdx-ai/base/disk";
import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import { discardUnused, lastSession, newSession, sessionFolder, sessionWorkspace } from "@mdx-ai/runtime";
import type { ModelRun } from "../models/open-models.ts";

import type { PermissionFlags } from "../settings/run-permissions.ts";
import { type DataSurroundings, dataOfRun } from "./data-directory.ts";

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
 * agent directory, which is not a workspace.
 */
export function workspaceOf(
  { workspace, cwd }: Pick<AgentRun, "workspace" | "cwd">,
  { path, definition }: WorkingDirectory,
): string | undefined {
  const chosen = workspace ?? (definition.settings.workspace === "cwd" ? cwd : undefined);
  return chosen === undefined || realPlaceOrSame(chosen) === realPlaceOrSame(path) ? undefined : chosen;
}

/** The folder in which the tools of a run work: its workspace, else the agent directory. Absolute. */
export const toolsFolder = (run: Pick<AgentRun, "workspace" | "cwd">, directory: WorkingDirectory): string =>
  workspaceOf(run, directory) ?? directory.path;

/** The name of a session that does not exist yet. */
export const NEW_SESSION = "new";

/** A run with its data folder, and with its session if that is not the default one. */
export interface PlacedRun extends AgentRun {
  readonly data: string;
  /** The folder that the user named for it. Absolute. */
  readonly dataOption?: string;
  /** Whether the session was made for this run. */
  readonly isNewSession: boolean;
}

/**
 * Chooses the folder of a run's data and its session; a note says if that is another one than expected, or works elsewhere than
 * before. Throws as `dataOfRun` and `chooseSession` do.
 */
export function placeRun(run: AgentRun, directory: WorkingDirectory, surroundings: DataSurroundings): PlacedRun {
  const data = dataOfRun(run, directory, surroundings);
  const note = (text: string): void => surroundings.onNotice({ type: "note", text });
  const { session, isNew } = chooseSession(run, { data, workspace: sessionWorkspaceOf(run, directory), note });
  const named = run.data === undefined ? {} : { dataOption: run.data };
  return { ...run, data, ...named, isNewSession: isNew, ...(session !== undefined && { session }) };
}

/** The workspace that groups the sessions of a run, links resolved; undefined for a run in the agent directory. */
export function sessionWorkspaceOf(run: AgentRun, directory: WorkingDirectory): string | undefined {
  const workspace = workspaceOf(run, directory);
  return workspace && realPlaceOrSame(workspace);
}

interface Choosing {
  readonly data: string;
  readonly workspace: string | undefined;
  note(text: string): void;
}

interface ChosenSession {
  /** Absent: the default one. */
  readonly session?: string;
  readonly isNew: boolean;
}

/**
 * The session of a run: the one that it names; with `isContinued` the last used one, of the workspace if there is one. In a
 * workspace, any other run begins a new session; without one, the default session continues. Throws `UnknownSessionError` if
 * the one to resume does not exist.
 */
function chooseSession(run: AgentRun, choosing: Choosing): ChosenSession {
  const { data, workspace } = choosing;
  if (run.isEphemeral) return DEFAULT;
  if (run.session === NEW_SESSION) return beginNew(data);
  const session = knownSession(run, choosing);
  if (session === undefined) return workspace === undefined ? DEFAULT : beginNew(data);
  const move = moveNote(session, { from: sessionWorkspace(data, session), to: workspace });
  if (move !== undefined) choosing.note(move);
  return { session, isNew: false };
}

/** The session that a run continues by name, or as the last used one. In a workspace `isResumed` alone means that, too. */
function knownSession(run: AgentRun, { data, workspace, note }: Choosing): string | undefined {
  if (run.session !== undefined) {
    if (run.isResumed) sessionFolder(data, run.session);
    return run.session;
  }
  if (!run.isContinued && (!run.isResumed || workspace === undefined)) return undefined;
  const last = lastSession(data, workspace);
  if (last === undefined && workspace !== undefined) note("no session of this workspace yet; starting a new one");
  return last;
}

/** The default session. */
const DEFAULT: ChosenSession = { isNew: false };

const beginNew = (data: string): ChosenSession => ({ session: newSession(data, Date.now()), isNew: true });

/** Removes the session that was made for a run if nobody has said anything in it. Never throws. */
export function discardNewSession({ data, session, isNewSession }: PlacedRun): void {
  if (isNewSession && session !== undefined) discardUnused(data, session, Date.now());
}

/** What changes for a session that continues elsewhere than in its last workspace, for people; undefined if nothing does. */
export function moveNote(
  session: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): string | undefined {
  if (from === undefined || from === to) return undefined;
  return `session ${session} has worked in ${from}; from now on it works in ${to ?? "the agent directory"}`;
}
