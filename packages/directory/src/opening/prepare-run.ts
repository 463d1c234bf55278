import { mkdirSync, statSync } from "node:fs";
import { realPathOrSame, requireOwn } from "@mdx-ai/base/disk";
import type { AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import type { FrontEnd } from "../front-end.ts";
import { type RunSettings, runSettings } from "../settings/run-settings.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import { type ChosenSession, chooseSession } from "./choose-session.ts";
import { dataOfRun } from "./data-directory.ts";
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
  const workspace = workspaceOf(options, directory);
  const data = dataOfRun(options, directory, frontEnd);
  const settings = await runSettings({ ...options, data }, directory, frontEnd);
  const note = (text: string): void => frontEnd.onNotice({ type: "note", text });
  return {
    ...{ options, directory, settings, data },
    ...(workspace !== undefined && { workspace }),
    folder: workspace?.path ?? directory.path,
    ...chooseSession(options, { data, workspace: workspace?.real, note }),
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
