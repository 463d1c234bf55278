import { isAbsolute, join } from "node:path";
import type { Environment } from "@mdx-ai/models";

export { isWithin, realPlaceOrSame as realFolder } from "@mdx-ai/runtime/files";

/**
 * A folder of the user for mdx-ai by the XDG rules: `variable` if it holds an absolute path, else `fallback` under
 * the home folder. Undefined if there is neither; a relative path would depend on the current folder.
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
