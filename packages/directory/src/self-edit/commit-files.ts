import type { Environment } from "@mdx-ai/base";
import { type ProgramEnd, runProgram } from "@mdx-ai/base/disk";

/** A directory that may be in a repository. */
export interface Repository {
  /** Absolute. */
  readonly directory: string;
  readonly environment: Environment;
}

/** Files that one commit changed. */
export interface FilesOfCommit {
  /** Relative to the directory. */
  readonly paths: readonly string[];
  /** Its full name. */
  readonly commit: string;
}

/** Makes one commit of files; resolves to its full name, or to undefined if the directory is not in a repository. Rejects if git fails. */
export async function commitFiles(
  repository: Repository,
  paths: readonly string[],
  message: string,
): Promise<string | undefined> {
  const tracked = await git(repository, ["ls-files", "--error-unmatch", "--", "agent.mdx"]);
  if (tracked.exitCode !== 0) return undefined;
  await required(repository, ["add", "--", ...paths]);
  await required(repository, ["commit", "--quiet", "--no-verify", "-m", message, "--", ...paths]);
  return (await required(repository, ["rev-parse", "HEAD"])).trim();
}

/** Whether the files are now as they were before the commit, which is in the current branch. */
export async function areTakenBack(repository: Repository, { commit, paths }: FilesOfCommit): Promise<boolean> {
  const known = await git(repository, ["merge-base", "--is-ancestor", commit, "HEAD"]);
  return known.exitCode === 0 && (await areAsIn(repository, `${commit}^`, paths));
}

/** Whether the files have the same contents as in a commit; a file that neither has counts as the same. */
export async function areAsIn(repository: Repository, commit: string, paths: readonly string[]): Promise<boolean> {
  const args = ["diff", "--quiet", "--no-ext-diff", "--no-textconv", "--end-of-options", commit, "--", ...paths];
  return (await git(repository, args)).exitCode === 0;
}

/** Nothing that the repository configures runs, and a path means itself. */
const OPTIONS = ["core.hooksPath=/dev/null", "core.fsmonitor=false", "commit.gpgSign=false"];

async function required(repository: Repository, args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(repository, args);
  if (exitCode !== 0) throw new Error(errors.trim().split("\n")[0] ?? "git failed");
  return output;
}

const git = ({ directory, environment }: Repository, args: readonly string[]): Promise<ProgramEnd> =>
  runProgram(["git", "--literal-pathspecs", ...OPTIONS.flatMap((option) => ["-c", option]), "-C", directory, ...args], {
    cwd: "/",
    environment,
  });
