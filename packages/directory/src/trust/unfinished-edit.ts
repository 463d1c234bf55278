import { join } from "node:path";
import { type Environment, sha256, stateDirectory } from "@mdx-ai/base";

/** The record of a change of an agent's own files while it is made, by the real path of the directory; undefined if the user has no folder for it. */
export function unfinishedEdit(directory: string, environment: Environment): string | undefined {
  const folder = stateDirectory(environment);
  return folder === undefined ? undefined : join(folder, "self-edits", `${sha256(directory)}.json`);
}
