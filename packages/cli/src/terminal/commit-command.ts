import type { Environment } from "@mdx-ai/base";
import { findProgram, projectFolders } from "@mdx-ai/base/disk";
import { plainText } from "@mdx-ai/directory/text";
import { type Asked, yesOrNo } from "../approval/approval-content.ts";
import { homePath } from "../output/line-layout.ts";

/** The environment of `/commit`. */
export interface CommitContext {
  /** Where tools work. Absolute. */
  readonly folder: string;
  /** The user's variables, passed to git and its hooks. */
  readonly environment: Environment;
  /** Asks the user; false for no. */
  confirm(question: Asked): Promise<boolean>;
  /** Runs work that the user can stop. */
  busyWith<Result>(activity: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Git failed or is not installed. */
class GitError extends Error {
  override readonly name = "GitError";
}

/** Changed files that are listed. */
const MAX_FILES = 12;
/** Lines of git's output that are shown. */
const MAX_LINES = 15;
/** Milliseconds to wait for output after git has ended: a process left by a hook may keep the pipe open. */
const GRACE = 200;

/**
 * Runs `/commit` with a message: lists the changes, asks, then stages and commits all changes of the repository. Passes the message as an
 * argument, without a shell. Git runs as the user, with hooks. Rejects with `GitError`.
 */
export async function runCommit(message: string, context: CommitContext): Promise<string> {
  if (message === "") return "Describe the commit: /commit MESSAGE asks, then commits all changes.";
  const shown = await statusOf(context);
  if (shown === "") return "There is nothing to commit.";
  if (!(await context.confirm(question(message, shown, context)))) return "Nothing was committed.";
  if ((await statusOf(context)) !== shown) {
    return "The changes differ from those that were shown, so nothing was committed. Send the same line again to see them.";
  }
  return context.busyWith("committing", async (signal) => {
    await expectDone("stage the changes", await git(["add", "-A"], { ...context, signal }), signal);
    const commit = await git(["commit", `--message=${message}`], { ...context, signal });
    await expectDone("commit; the changes are staged", commit, signal);
    return shownOutput(commit.output);
  });
}

/**
 * Disables hooks and file system monitors of the repository's settings, since the user has not agreed yet. `withoutFilters` does the same
 * for filters.
 */
const QUIET = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
/**
 * Prevents fetching the missing objects of a partial clone, whose settings may run a program. Git before 2.45 only knows the second
 * variable.
 */
const NO_FETCH = { GIT_NO_LAZY_FETCH: "1", GIT_ALLOW_PROTOCOL: "" };

async function statusOf(context: CommitContext): Promise<string> {
  const words = ["-c", "color.ui=false", "status", "--short", "--ignore-submodules=dirty"];
  const environment = { ...(await withoutFilters(context)), ...NO_FETCH };
  const status = await git([...QUIET, ...words], { ...context, environment });
  await expectDone("show the changes", status);
  return status.output.trimEnd();
}

/** Git variables that disable the filters of the repository's settings. The filters of the user's settings still run. */
async function withoutFilters(context: CommitContext): Promise<Environment> {
  const { environment } = context;
  const words = ["config", "--null", "--show-scope", "--get-regexp", FILTER.source];
  const listed = await git([...QUIET, ...words], context);
  // Exit code 1: there are no filters.
  if (listed.exitCode !== 1) await expectDone("read the settings of filters", listed);
  const before = Number(environment["GIT_CONFIG_COUNT"] ?? 0) || 0;
  const settings = filtersOfRepository(listed.printed).flatMap((name) => [
    [`${name}.clean`, ""],
    [`${name}.process`, ""],
    [`${name}.required`, "false"],
  ]);
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, key],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return { ...environment, ...Object.fromEntries(numbered), GIT_CONFIG_COUNT: String(before + settings.length) };
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

function question(message: string, status: string, { folder, environment }: CommitContext): Asked {
  const files = status.split("\n");
  const more = files.length - MAX_FILES;
  const lines = [...files.slice(0, MAX_FILES), ...(more > 0 ? [`… and ${more} more`] : [])];
  const place = homePath(folder, environment["HOME"]) ?? folder;
  return yesOrNo(`Commit these changes in ${place}?`, "commit them", { lines, reason: `/commit ${message}` });
}

interface GitResult {
  readonly exitCode: number;
  /** Standard output and standard error. */
  readonly output: string;
  /** Standard output alone. */
  readonly printed: string;
}

type GitPath = Pick<CommitContext, "folder" | "environment"> & { readonly signal?: AbortSignal };

/** Runs git outside of any sandbox, in a process group that the signal kills. */
async function git(args: readonly string[], { folder, environment, signal }: GitPath): Promise<GitResult> {
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

async function expectDone(what: string, { exitCode, output }: GitResult, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw new GitError(`git was stopped before it could ${what}`);
  if (exitCode === 0) return;
  throw new GitError(`git could not ${what} (exit code ${exitCode}):\n${shownOutput(output)}`);
}

/** The last lines, which give the reason. */
function shownOutput(output: string): string {
  const lines = plainText(output).trim().split("\n");
  const left = lines.length - MAX_LINES;
  return [...(left > 0 ? [`… ${left} earlier lines`] : []), ...lines.slice(-MAX_LINES)].join("\n");
}
