import type { Environment } from "@mdx-ai/base";
import { type GitResult, runQuietGit } from "@mdx-ai/sandbox";

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
  // Without a change, `commit` would show a status, for which git enters submodules and runs what they name.
  const staged = await git(repository, ["diff", ...PLAIN, "--cached", "--", ...paths]);
  if (staged.exitCode === 0) throw new Error("its files are as in the last commit");
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
  return (await git(repository, ["diff", ...PLAIN, "--end-of-options", commit, "--", ...paths])).exitCode === 0;
}

/** How files are compared: by exit code, and by no program. */
const PLAIN = ["--quiet", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"];

async function required(repository: Repository, args: readonly string[]): Promise<string> {
  const { exitCode, output, printed } = await git(repository, args);
  if (exitCode !== 0) throw new Error(/^(?:fatal|error): .*/m.exec(output)?.[0] ?? output.trim().split("\n")[0] ?? "");
  return printed;
}

/** A path means itself, and nothing is signed: the repository may name the program for that. */
const OPTIONS = ["--literal-pathspecs", "-c", "commit.gpgSign=false"];

const git = ({ directory, environment }: Repository, args: readonly string[]): Promise<GitResult> =>
  runQuietGit([...OPTIONS, ...args], { folder: directory, environment: gitEnvironment(environment) });

/** The variables that git needs to find its user and the user's settings: no keys. */
const NEEDED =
  /^(?:PATH|HOME|XDG_CONFIG_HOME|USER|LOGNAME|EMAIL|LANG|LC_.*|TZ|TMPDIR|GIT_(?:AUTHOR|COMMITTER)_.*|GIT_CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM))$/;

const gitEnvironment = (environment: Environment): Environment =>
  Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED.test(name)));
