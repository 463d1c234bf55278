import type { Environment } from "@mdx-ai/base";
import { type ProgramEnd, runProgram } from "@mdx-ai/base/disk";

/** A directory that may be in a repository. */
export interface Repository {
  /** Absolute. */
  readonly directory: string;
  readonly environment: Environment;
}

/** Makes one commit of files; resolves to its short name, or to undefined if the directory is not in a repository. Rejects if git fails. */
export async function commitFiles(
  repository: Repository,
  paths: readonly string[],
  message: string,
): Promise<string | undefined> {
  const tracked = await git(repository, ["ls-files", "--error-unmatch", "--", "agent.mdx"]);
  if (tracked.exitCode !== 0) return undefined;
  await required(repository, ["add", "--", ...paths]);
  await required(repository, ["commit", "--quiet", "--no-verify", "-m", message, "--", ...paths]);
  return (await required(repository, ["rev-parse", "--short", "HEAD"])).trim();
}

/** Nothing that the repository configures runs. */
const OPTIONS = ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "commit.gpgSign=false"];

async function required(repository: Repository, args: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await git(repository, args);
  if (exitCode !== 0) throw new Error(errors.trim().split("\n")[0] ?? "git failed");
  return output;
}

const git = ({ directory, environment }: Repository, args: readonly string[]): Promise<ProgramEnd> =>
  runProgram(["git", ...OPTIONS, "-C", directory, ...args], { cwd: "/", environment });
