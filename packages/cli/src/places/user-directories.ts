import { realpathSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import type { Environment } from "@mdx-ai/models";

/**
 * A folder of the user for mdx-ai by the XDG rules: `variable` where it holds an absolute path, else `fallback` under
 * the home folder. Undefined where there is neither; a relative path would let the current folder decide.
 */
function userDirectory(environment: Environment, variable: string, fallback: string): string | undefined {
  const stated = environment[variable];
  if (stated !== undefined && isAbsolute(stated)) return join(stated, "mdx-ai");
  const home = environment["HOME"] || environment["USERPROFILE"];
  return home !== undefined && isAbsolute(home) ? join(home, fallback, "mdx-ai") : undefined;
}

/** `$XDG_CONFIG_HOME/mdx-ai`: what the user wrote. */
export const configurationDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CONFIG_HOME", ".config");

/** `$XDG_STATE_HOME/mdx-ai`: what the user decided. */
export const stateDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_STATE_HOME", join(".local", "state"));

/** `$XDG_CACHE_HOME/mdx-ai`: what may be thrown away. */
export const cacheDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CACHE_HOME", ".cache");

/** Whether `path` is `folder` or lies in it; both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith("../") || way.startsWith("..\\") || isAbsolute(way));
}

/** The real path of a folder that may not exist yet. */
export function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realFolder(parent), path.slice(parent.length));
  }
}
