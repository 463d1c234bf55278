import { mkdirSync, statSync } from "node:fs";
import { requireOwn } from "@mdx-ai/base/disk";
import { type RunSettings, runSettings } from "../settings/run-settings.ts";
import type { Surroundings } from "../surroundings.ts";
import type { ReadDirectory } from "../trust/trusted-directory.ts";
import { type ChosenSession, chooseSession } from "./choose-session.ts";
import { dataOfRun } from "./data-directory.ts";
import { type RunOptions, type Workspace, workspaceOf } from "./run-options.ts";

/** A run, and everything that the disk says about it, read once. `openRun` opens its agent. */
export interface PreparedRun extends ChosenSession {
  readonly options: RunOptions;
  readonly directory: ReadDirectory;
  /** What its flags and the user's settings say. */
  readonly settings: RunSettings;
  /** The folder for sessions, state and logs. Absolute. */
  readonly data: string;
  /** Absent if tools work in the agent directory. */
  readonly workspace?: Workspace;
  /** The folder in which tools work. Absolute. */
  readonly folder: string;
}

/**
 * Finds the data, the settings and the session of a run. Unless it is ephemeral, it creates the data folder and, if needed, a new session.
 * Rejects with `DirectoryError` ("data" or "settings"), or as `chooseSession` does.
 */
export async function prepareRun(
  options: RunOptions,
  directory: ReadDirectory,
  surroundings: Surroundings,
): Promise<PreparedRun> {
  if (directory.source !== undefined) makeFolder(directory.path);
  const data = dataOfRun(options, directory, surroundings);
  const settings = await runSettings({ ...options, data }, directory, surroundings);
  const workspace = workspaceOf(options, directory);
  const note = (text: string): void => surroundings.onNotice({ type: "note", text });
  return {
    ...{ options, directory, settings, data },
    ...(workspace !== undefined && { workspace }),
    folder: workspace?.path ?? directory.path,
    ...chooseSession(options, { data, workspace: workspace?.real, note }),
  };
}

/** The folder of an agent that is one file: its data is there, and its tools work there. Throws if it belongs to another user. */
function makeFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  requireOwn(path, statSync(path));
}
