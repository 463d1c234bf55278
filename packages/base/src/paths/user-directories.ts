import { isAbsolute, join } from "node:path";
import type { Environment } from "./environment.ts";

/** The user's home folder; undefined unless a variable holds an absolute path. */
export function homeFolder(environment: Environment): string | undefined {
  const home = environment["HOME"] || environment["USERPROFILE"];
  return home !== undefined && isAbsolute(home) ? home : undefined;
}

/**
 * A folder of the user for mdx-ai by the XDG rules: `variable` if it holds an absolute path, else `fallback` in the home
 * folder. Undefined if there is neither; a relative path would depend on the current folder.
 */
function userDirectory(environment: Environment, variable: string, fallback: string): string | undefined {
  const stated = environment[variable];
  if (stated !== undefined && isAbsolute(stated)) return join(stated, "mdx-ai");
  const home = homeFolder(environment);
  return home && join(home, fallback, "mdx-ai");
}

/** `$XDG_CONFIG_HOME/mdx-ai`: files that the user writes. */
export const configurationDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CONFIG_HOME", ".config");

/** `$XDG_STATE_HOME/mdx-ai`: decisions of the user. */
export const stateDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_STATE_HOME", join(".local", "state"));

/** `$XDG_CACHE_HOME/mdx-ai`: files that may be deleted. */
export const cacheDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CACHE_HOME", ".cache");

/** `$XDG_DATA_HOME/mdx-ai`: agents that the user added. */
export const installDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_DATA_HOME", join(".local", "share"));
