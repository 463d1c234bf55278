import { accessSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, extname, join, resolve } from "node:path";
import { attempt, sha256, stateDirectory } from "@mdx-ai/base";
import { DirectoryError } from "./directory-error.ts";
import type { FrontEnd } from "./front-end.ts";

type Place = Pick<FrontEnd, "environment" | "currentDirectory">;

/** Whether a path names an agent that is one Markdown file. */
export const isAgentFile = (path: string, { currentDirectory }: Place): boolean =>
  /\.(?:md|markdown)$/i.test(path) && isFile(resolve(currentDirectory, path));

/** The real path of an agent that is one file. Absolute. */
export const agentFile = (path: string, { currentDirectory }: Place): string =>
  realpathSync.native(resolve(currentDirectory, path));

/**
 * The folder of an agent, given its path. Absolute; it may not exist. For a Markdown file it contains only the data: a folder in the
 * user's state that is always the same for a file; for an `agent.mdx` it is the file's folder. Throws `DirectoryError` ("data") if the
 * user has no folder for state.
 */
export function agentFolder(path: string, place: Place): string {
  if (!isAgentFile(path, place)) {
    const folder = resolve(place.currentDirectory, path);
    return basename(folder).toLowerCase() === "agent.mdx" && isFile(folder) ? dirname(folder) : folder;
  }
  const state = stateDirectory(place.environment);
  if (state === undefined) {
    throw new DirectoryError(
      "data",
      `no folder for the sessions of ${path}: set HOME, or XDG_STATE_HOME to an absolute path`,
    );
  }
  const file = agentFile(path, place);
  return join(state, "agents", uniqueName(file, extname(file)));
}

/** A unique name for a path's data, beginning with its file name without extension. */
export const uniqueName = (path: string, ending = ""): string =>
  `${basename(path, ending).slice(0, MAX_NAME)}-${sha256(path).slice(0, 16)}`;

/** In characters. */
const MAX_NAME = 60;

/** The stats of a path, links followed; undefined if it is missing or unreachable. */
const statsOf = (path: string): Stats | undefined => attempt(() => statSync(path));

export const isFile = (path: string): boolean => statsOf(path)?.isFile() ?? false;

export const isFolder = (path: string): boolean => statsOf(path)?.isDirectory() ?? false;

/** The names in a folder; empty if it cannot be read. */
export const namesIn = (folder: string): readonly string[] => attempt(() => readdirSync(folder)) ?? [];

/** Whether this process may access a path in these ways, such as `constants.W_OK`. No process may write to a read-only file system. */
export const hasAccess = (path: string, mode: number): boolean =>
  attempt(() => {
    accessSync(path, mode);
    return true;
  }) ?? false;
