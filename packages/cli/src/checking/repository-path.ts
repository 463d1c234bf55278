import { relative, sep } from "node:path";
import { type Environment, isWithin } from "@mdx-ai/base";

/** Names a file, given its absolute path. */
export type PathWords = (path: string) => string;

/**
 * Names files as a service does that shows them beside their lines: relative to the repository that GitHub Actions checked out, else to the
 * current folder, separated by "/"; a path outside stays absolute.
 */
export function repositoryPath({ currentDirectory, environment }: RepositoryPlace): PathWords {
  const workspace = environment["GITHUB_WORKSPACE"];
  const root = workspace !== undefined && isWithin(workspace, currentDirectory) ? workspace : currentDirectory;
  return (path) => (isWithin(root, path) ? relative(root, path) : path).split(sep).join("/");
}

interface RepositoryPlace {
  readonly currentDirectory: string;
  readonly environment: Environment;
}
