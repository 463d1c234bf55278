import { dirname, join } from "node:path";
import type { Environment } from "@mdx-ai/models";
import { isWithin, realFolder, stateDirectory } from "../places/user-directories.ts";

/** The file that lists the trusted directories; undefined where the user has no folder for it. */
export function trustFile(environment: Environment): string | undefined {
  const folder = stateDirectory(environment);
  return folder === undefined ? undefined : join(folder, "trust.json");
}

/** Whether the list lies within a directory, which could then have come with a list of its own. */
export function holdsTrustFile(directory: string, file: string): boolean {
  return isWithin(directory, realFolder(dirname(file)));
}
