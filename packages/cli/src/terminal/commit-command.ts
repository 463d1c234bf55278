import { existsSync } from "node:fs";
import { join } from "node:path";
import { plainText } from "@mdx-ai/directory/text";
import type { Environment } from "@mdx-ai/models";
import { foldersFrom } from "@mdx-ai/parser/is-within";
import { findProgram } from "@mdx-ai/runtime/files";
import { type Asked, yesOrNo } from "../approval/approval-content.ts";
import { homePath } from "../output/line-layout.ts";

/** What `/commit` needs. */
export interface CommitContext {
  /** Where tools work. Absolute. */
  readonly folder: string;
  /** The user's variables, which git and its hooks receive. */
  readonly environment: Environment;
  /** Asks the user; false for no. */
  confirm(question: Asked): Promise<boolean>;
  /** Runs something that the user can stop. */
  busyWith<Result>(activity: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Git refused, or is not there. */
class GitError extends Error {
  override readonly name = "GitError";
}

/** Changed files that are shown. */
const MOST_FILES = 12;
/** Lines of git's output that are shown. */
const MOST_LINES = 15;
/** Milliseconds for the last output, after git has ended: what a hook left running may hold the pipe. */
const GRACE = 200;

/**
 * Runs `/commit` with this message: shows what it commits, asks, then stages and commits every change of the repository. Git gets
 * the message as an argument, which no shell reads, and runs as the user's own command, hooks included. Rejects with `GitError`.
 */
export async function runCommit(message: string, context: CommitContext): Promise<string> {
  if (message === "") return "Say what the commit is about: /commit MESSAGE asks, then commits all changes.";
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

/** Runs neither a hook nor a watcher that the repository's settings name: the user has not answered yet. */
const QUIET = ["--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];

async function statusOf(context: CommitContext): Promise<string> {
  const words = ["-c", "color.ui=false", "status", "--short", "--ignore-submodules=dirty"];
  const status = await git([...QUIET, ...words], context);
  await expectDone("show the changes", status);
  return status.output.trimEnd();
}

function question(message: string, status: string, { folder, environment }: CommitContext): Asked {
  const files = status.split("\n");
  const more = files.length - MOST_FILES;
  const lines = [...files.slice(0, MOST_FILES), ...(more > 0 ? [`… and ${more} more`] : [])];
  const place = homePath(folder, environment["HOME"]) ?? folder;
  return yesOrNo(`Commit these changes in ${place}?`, "commit them", { lines, reason: `/commit ${message}` });
}

interface GitResult {
  readonly exitCode: number;
  /** Of both streams. */
  readonly output: string;
}

type GitPlace = Pick<CommitContext, "folder" | "environment"> & { readonly signal?: AbortSignal };

/** The folder of the repository that a folder is in, whose programs are not the user's own. */
const repositoryAround = (folder: string): readonly string[] =>
  foldersFrom(folder)
    .filter((one) => existsSync(join(one, ".git")))
    .slice(0, 1);

/** Runs git outside of every sandbox, in a process group that the signal kills. */
async function git(args: readonly string[], { folder, environment, signal }: GitPlace): Promise<GitResult> {
  const program = findProgram("git", { environment, outside: [folder, ...repositoryAround(folder)] });
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
    const reading = Promise.all([read(child.stdout, pieces), read(child.stderr, pieces)]);
    const exitCode = await child.exited;
    await Promise.race([reading, Bun.sleep(GRACE)]);
    return { exitCode, output: pieces.join("") };
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

async function read(stream: ReadableStream<Uint8Array>, pieces: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) pieces.push(decoder.decode(chunk, { stream: true }));
}

async function expectDone(what: string, { exitCode, output }: GitResult, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) throw new GitError(`git was stopped before it could ${what}`);
  if (exitCode === 0) return;
  throw new GitError(`git could not ${what} (exit code ${exitCode}):\n${shownOutput(output)}`);
}

/** The last lines: those that say why. */
function shownOutput(output: string): string {
  const lines = plainText(output).trim().split("\n");
  const left = lines.length - MOST_LINES;
  return [...(left > 0 ? [`… ${left} earlier lines`] : []), ...lines.slice(-MOST_LINES)].join("\n");
}
