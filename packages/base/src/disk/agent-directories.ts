import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { sourceLayout } from "../paths/agent-layout.ts";
import { walkFolder } from "./walk-folder.ts";

/** Whether a folder is an agent directory. Absolute. */
export const isAgentDirectory = (folder: string): boolean => existsSync(sourceLayout(folder).definition);

/** The agent directories directly in a folder, among its first `most` entries. Absolute if the folder is. */
export function agentsIn(folder: string, most: number = Number.POSITIVE_INFINITY): readonly string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .slice(0, most)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter(isAgentDirectory);
}

/** The most folders that are searched for agents; a command waits for this. */
const MAX_FOLDERS = 1_000;

/** Large folders without agents of the user. */
const LARGE: readonly string[] = ["node_modules", ".git"];

/**
 * The agent directory that a path is or is in, other than this agent's if one is named; undefined if there is none. Absolute and
 * real.
 */
export function agentAround(path: string, agentDir?: string): string | undefined {
  if (path !== agentDir && isAgentDirectory(path)) return path;
  return dirname(path) === path ? undefined : agentAround(dirname(path), agentDir);
}

/**
 * The nearest agent directory in a folder, outside this agent's directory; undefined if there is none in the first `MAX_FOLDERS`
 * folders, nearest first. Absolute and real.
 */
export function agentIn(folder: string, agentDir: string): string | undefined {
  let found: string | undefined;
  const search = (path: string, isFolder: boolean, name: string): boolean => {
    if (found !== undefined || !isFolder || path === agentDir || LARGE.includes(name)) return false;
    if (isAgentDirectory(path)) found = path;
    return found === undefined;
  };
  walkFolder(folder, (path, entry) => search(path, entry.isDirectory(), entry.name), { mostFolders: MAX_FOLDERS });
  return found;
}
