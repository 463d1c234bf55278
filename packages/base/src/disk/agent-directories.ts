import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { sourceLayout } from "../paths/agent-layout.ts";
import { walkFolder } from "./walk-folder.ts";

/** Whether a folder is an agent directory. Absolute. */
export const isAgentDirectory = (folder: string): boolean => existsSync(sourceLayout(folder).definition);

/** The agent directories that are directly in a folder, among its first `most` entries. Absolute, as the folder is. */
export function agentsIn(folder: string, most: number = Number.POSITIVE_INFINITY): readonly string[] {
  const entries = attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries
    .slice(0, most)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
    .filter(isAgentDirectory);
}

/** Folders that are searched for agents: a command waits for this. */
const MAX_FOLDERS = 1_000;

/** Folders that are large, and hold no agents of the user. */
const LARGE: readonly string[] = ["node_modules", ".git"];

/** The agent directory, other than this agent's own if one is named, that a path is or is in; undefined if there is none. Absolute and real. */
export function agentAround(path: string, agentDir?: string): string | undefined {
  if (path !== agentDir && isAgentDirectory(path)) return path;
  return dirname(path) === path ? undefined : agentAround(dirname(path), agentDir);
}

/**
 * The nearest agent directory, other than this agent's own and what is in that, in a folder; undefined if there is none in the
 * folders that are searched: `MAX_FOLDERS`, nearest first. Absolute and real.
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
