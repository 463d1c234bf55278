import { statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { foldersFrom } from "@mdx-ai/parser/is-within";
import { realPlaceOrSame } from "@mdx-ai/runtime/files";
import { programFolder as codeFolder, isCompiled } from "@mdx-ai/runtime/program";

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

/** `$XDG_CONFIG_HOME/mdx-ai`: files that the user writes. */
export const configurationDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CONFIG_HOME", ".config");

/** `$XDG_STATE_HOME/mdx-ai`: decisions of the user. */
export const stateDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_STATE_HOME", join(".local", "state"));

/** `$XDG_CACHE_HOME/mdx-ai`: files that may be deleted. */
export const cacheDirectory = (environment: Environment): string | undefined =>
  userDirectory(environment, "XDG_CACHE_HOME", ".cache");

/** The folder of this program: of its executable, or of its code. Absolute. */
export const programFolder = (): string => (isCompiled ? dirname(realPlaceOrSame(process.execPath)) : codeFolder);

/**
 * The folders whose `node_modules` hold what is installed beside this program, the nearest first: its own and those above.
 * A `node_modules` of another user does not count, since a folder above may be writable by everybody.
 */
export const programFolders = (): readonly string[] =>
  foldersFrom(programFolder()).filter((folder) => belongsToUser(join(folder, "node_modules")));

/** Whether a file or folder exists and belongs to this user or the superuser. */
export function belongsToUser(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (process.getuid === undefined || [0, process.getuid()].includes(stats.uid));
}
