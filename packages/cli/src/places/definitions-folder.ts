import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { requireOwn } from "@mdx-ai/runtime/files";
import { cacheDirectory, isWithin, realFolder } from "./user-directories.ts";

/**
 * The folder that caches parsed definitions, whose code runs, for an agent directory; undefined if others can write there: tools
 * of the agent, or another user. If others could, and the folder is this user's, it is emptied.
 */
export function definitionsFolder(agentDir: string, environment: Environment): string | undefined {
  const cache = cacheDirectory(environment);
  if (cache === undefined || isWithin(realFolder(agentDir), realFolder(cache))) return undefined;
  const folder = join(cache, "definitions");
  return isOwnFolder(folder) || isRemoved(folder) ? folder : undefined;
}

/** Also if there is none: it is made for this user alone. */
function isOwnFolder(folder: string): boolean {
  try {
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats !== undefined) requireOwn(folder, stats);
    return true;
  } catch {
    return false;
  }
}

function isRemoved(folder: string): boolean {
  try {
    rmSync(folder, { recursive: true });
    return true;
  } catch {
    return false;
  }
}
