import { existsSync, mkdirSync, statSync } from "node:fs";
import { realPathOrSame, requireOwn } from "@mdx-ai/base/disk";
import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import { discardUnused, lastSession, newSession, sessionFolder, sessionWorkspace } from "@mdx-ai/sessions";
import type { FrontEnd } from "../front-end.ts";
import { filesOfInstalled } from "../installed-agents.ts";
import { dataOfRun, isInstalled } from "../paths.ts";
import { type RunSettings, runSettings } from "../settings/run-settings.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import type { RunOptions } from "./run-options.ts";

/** A run with everything that was read from disk for it. `openRun` opens its agent. */
export interface PreparedRun extends ChosenSession {
  readonly options: RunOptions;
  readonly directory: ReadDirectory;
  /** The settings from flags and from the user's settings file. */
  readonly settings: RunSettings;
  /** The folder for sessions, state and logs. Absolute. */
  readonly data: string;
  /** Absent if tools work in the agent directory. */
  readonly workspace?: Workspace;
  /** The working directory of tools. Absolute. */
  readonly folder: string;
}

/**
 * Finds the data, the settings and the session of a run. Unless it is ephemeral, it creates the data folder and, if needed, a new session.
 * Rejects with `DirectoryError` ("data" or "settings"), or as `chooseSession` does.
 */
export async function prepareRun(
  options: RunOptions,
  directory: ReadDirectory,
  frontEnd: FrontEnd,
): Promise<PreparedRun> {
  if (directory.source !== undefined) makeFolder(directory.path);
  const workspace = workspaceOf(options, directory) ?? ownFolder(options, directory, frontEnd);
  const data = dataOfRun(options, directory, frontEnd);
  const settings = await runSettings({ ...options, data, workspace: workspace?.path }, directory, frontEnd);
  const note = (text: string): void => frontEnd.onNotice({ type: "note", text });
  return {
    ...{ options, directory, settings, data },
    ...(workspace !== undefined && { workspace }),
    folder: workspace?.path ?? directory.path,
    ...chooseSession(options, { data, workspace: workspace?.real, isOwn: workspace?.isOwn === true, note }),
  };
}

/** The folder for the data and tools of a single-file agent. Throws if it belongs to another user. */
function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  requireOwn(path, statSync(path));
}

/** The inputs that decide the working directory of tools. */
export type WorkingDirectory = Pick<AgentDirectory, "realPath"> & {
  readonly definition: { readonly settings: Pick<AgentSettings, "workspace"> };
};

/** The workspace of a run. */
export interface Workspace {
  /** As the user named it. Absolute. */
  readonly path: string;
  /** The path with links resolved, by which sessions are grouped. Absolute. */
  readonly real: string;
  /** Whether it is a folder for the agent's own files, where sessions continue as in an agent directory. */
  readonly isOwn?: true;
}

/** The folder in which the tools of an added agent work, since nothing writes to its directory. Makes it, unless the run is ephemeral. */
function ownFolder(
  { isEphemeral }: Pick<RunOptions, "isEphemeral">,
  { realPath }: Pick<AgentDirectory, "realPath">,
  { environment }: FrontEnd,
): Workspace | undefined {
  const path = isInstalled(realPath, environment) ? filesOfInstalled(realPath, environment) : undefined;
  if (path === undefined || (isEphemeral && !existsSync(path))) return undefined;
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return { path, real: realPathOrSame(path), isOwn: true };
}

/**
 * The workspace of a run: the user's choice, else the directory's setting. Undefined if tools work in the agent
 * directory, which is not a workspace.
 */
export function workspaceOf(
  { workspace, cwd }: Pick<RunOptions, "workspace" | "cwd">,
  { realPath, definition }: WorkingDirectory,
): Workspace | undefined {
  const path = workspace ?? (definition.settings.workspace === "cwd" ? cwd : undefined);
  if (path === undefined) return undefined;
  const real = realPathOrSame(path);
  return real === realPath ? undefined : { path, real };
}

/** The name that requests a new session. */
export const NEW_SESSION = "new";

/** The options of a run that name its session. */
type SessionOptions = Pick<RunOptions, "isEphemeral" | "session" | "isExisting" | "isContinued" | "isResumed">;

interface SessionFolders {
  /** With the sessions of the agent. Absolute. */
  readonly data: string;
  /** The workspace of the run, links resolved; undefined in the agent directory. Absolute. */
  readonly workspace: string | undefined;
  /** Whether that is a folder of the agent's own. */
  readonly isOwn?: boolean;
  /** Receives notes for the user. */
  note(text: string): void;
}

export interface ChosenSession {
  /** Absent: the default session. */
  readonly session?: string;
  /** Whether it was made for this run. */
  readonly isNewSession: boolean;
}

/**
 * Chooses the session of a run: the named one; with `isContinued` the most recent one, of the workspace if there is one. In a
 * workspace, any other run begins a new session; without one, the default session continues. Sends a note if the session is not the
 * expected one, or worked elsewhere before. Throws `UnknownSessionError` if the session to resume, or one that must exist, does not.
 */
function chooseSession(options: SessionOptions, folders: SessionFolders): ChosenSession {
  const { data, workspace, isOwn } = folders;
  if (options.isEphemeral) return DEFAULT;
  if (options.session === NEW_SESSION) return beginNew(data);
  const session = knownSession(options, folders);
  if (session === undefined) return workspace === undefined || isOwn ? DEFAULT : beginNew(data);
  const move = moveNote(session, { from: sessionWorkspace(data, session), to: workspace });
  if (move !== undefined) folders.note(move);
  return { session, isNewSession: false };
}

/** The session that a run continues, by name or as the most recent one. In a workspace, `isResumed` alone continues the most recent one, too. */
function knownSession(options: SessionOptions, { data, workspace, isOwn, note }: SessionFolders): string | undefined {
  const { session, isExisting, isContinued, isResumed } = options;
  if (session !== undefined) {
    if (isResumed || isExisting) sessionFolder(data, session);
    return session;
  }
  if (!isContinued && (!isResumed || workspace === undefined || isOwn)) return undefined;
  const last = lastSession(data, workspace);
  if (last === undefined && workspace !== undefined) note("no session of this workspace yet; starting a new one");
  return last;
}

/** The default session. */
const DEFAULT: ChosenSession = { isNewSession: false };

const beginNew = (data: string): ChosenSession => ({ session: newSession(data, Date.now()), isNewSession: true });

/** Removes the session that was made for a run if it has no prompt. Never throws. */
export function discardNewSession({ data, session, isNewSession }: ChosenSession & { readonly data: string }): void {
  if (isNewSession && session !== undefined) discardUnused(data, session, Date.now());
}

/** A note about a changed workspace of a continued session; undefined if it is the same. */
export function moveNote(
  session: string,
  { from, to }: { readonly from: string | undefined; readonly to: string | undefined },
): string | undefined {
  if (from === undefined || from === to) return undefined;
  return `session ${session} has worked in ${from}; from now on it works in ${to ?? "the agent directory"}`;
}
