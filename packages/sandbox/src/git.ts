import type { Environment } from "@mdx-ai/base";
import { findProgram, projectFolders } from "@mdx-ai/base/disk";
import { settingVariables } from "./git-identity.ts";

/** Git failed or is not installed. */
export class GitError extends Error {
  override readonly name = "GitError";
}

/** Where git runs. */
export interface GitPlace {
  /** Absolute. */
  readonly folder: string;
  /** The variables of git and its hooks. */
  readonly environment: Environment;
  readonly signal?: AbortSignal;
}

export interface GitResult {
  readonly exitCode: number;
  /** Standard output and standard error. */
  readonly output: string;
  /** Standard output alone. */
  readonly printed: string;
}

/** Milliseconds to wait for output after git has ended: a process left by a hook may keep the pipe open. */
const GRACE = 200;

/**
 * Runs git outside of any sandbox, in a process group that the signal kills. A `git` within the project is not used. Rejects with
 * `GitError` if git is not installed.
 */
export async function runGit(args: readonly string[], { folder, environment, signal }: GitPlace): Promise<GitResult> {
  const program = findProgram("git", { environment, outside: projectFolders(folder) });
  if (program === undefined) throw new GitError("git is not installed");
  const child = Bun.spawn([program, ...args], {
    cwd: folder,
    env: { ...environment },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    detached: true,
  });
  const stop = (): void => void process.kill(-child.pid, "SIGTERM");
  signal?.addEventListener("abort", stop, { once: true });
  try {
    const pieces: string[] = [];
    const printed: string[] = [];
    const reading = Promise.all([
      read(child.stdout, (text) => {
        pieces.push(text);
        printed.push(text);
      }),
      read(child.stderr, (text) => void pieces.push(text)),
    ]);
    const exitCode = await child.exited;
    await Promise.race([reading, Bun.sleep(GRACE)]);
    return { exitCode, output: pieces.join(""), printed: printed.join("") };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function read(stream: ReadableStream<Uint8Array>, onText: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) onText(decoder.decode(chunk, { stream: true }));
}

/** Disables what a repository's settings run beside the command, since the user has not agreed to run it. */
const QUIET = [
  "--no-optional-locks",
  ...["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"],
  ...["-c", "gc.auto=0", "-c", "maintenance.auto=false"],
];

/**
 * Prevents fetching the missing objects of a partial clone, whose settings may run a program. Git before 2.45 only knows the second
 * variable.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" };

/** Runs git without the hooks, monitors and filters that the repository names. Rejects as `runGit` does. */
export async function runQuietGit(args: readonly string[], place: GitPlace): Promise<GitResult> {
  const words = [...QUIET, "config", "--null", "--show-scope", "--get-regexp", FILTER.source];
  const filters = await runGit(words, place);
  // Exit code 1: there are no filters.
  if (filters.exitCode > 1) return filters;
  const environment = { ...withoutFilters(filters.printed, place.environment), ...NO_FETCH };
  return runGit([...QUIET, ...args], { ...place, environment });
}

/** The state of a repository by `git status` with these options. Runs no program that the repository names. Rejects as `runGit` does. */
export const gitStatus = (options: readonly string[], place: GitPlace): Promise<GitResult> =>
  runQuietGit(["-c", "color.ui=false", "status", "--ignore-submodules=dirty", ...options], place);

/** Git variables that disable the filters of the repository's settings. The filters of the user's settings still run. */
function withoutFilters(settings: string, environment: Environment): Environment {
  const off = filtersOfRepository(settings).flatMap((name) => [
    [`${name}.clean`, ""] as const,
    [`${name}.process`, ""] as const,
    [`${name}.required`, "false"] as const,
  ]);
  return { ...environment, ...settingVariables(off, environment) };
}

const FILTER = /^filter\..*\.(clean|process|required)$/;

/** The filters (`filter.NAME`) that a settings list takes from the repository. Each setting is a scope, then a name and value. */
function filtersOfRepository(list: string): readonly string[] {
  const fields = list.split("\0");
  const names = fields.flatMap((scope, index) =>
    index % 2 === 0 && OF_REPOSITORY.includes(scope) ? (fields[index + 1]?.split("\n")[0] ?? []) : [],
  );
  return [...new Set(names.map((name) => name.slice(0, name.lastIndexOf("."))))];
}

const OF_REPOSITORY: readonly string[] = ["local", "worktree"];
