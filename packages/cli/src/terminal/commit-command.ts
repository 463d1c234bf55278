import { plainText } from "@mdx-ai/directory/text";
import { GitError, type GitPlace, type GitResult, gitStatus, runGit } from "@mdx-ai/sandbox";
import { type Asked, yesOrNo } from "../approval/approval-content.ts";
import { homePath } from "../output/line-layout.ts";

/** The environment of `/commit`. */
export interface CommitContext extends Pick<GitPlace, "folder" | "environment"> {
  /** Asks the user; false for no. */
  confirm(question: Asked): Promise<boolean>;
  /** Runs work that the user can stop. */
  busyWith<Result>(activity: string, work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** Changed files that are listed. */
const MAX_FILES = 12;
/** Lines of git's output that are shown. */
const MAX_LINES = 15;

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
    expectDone("stage the changes", await runGit(["add", "-A"], { ...context, signal }), signal);
    const commit = await runGit(["commit", `--message=${message}`], { ...context, signal });
    expectDone("commit; the changes are staged", commit, signal);
    return shownOutput(commit.output);
  });
}

async function statusOf({ folder, environment }: CommitContext): Promise<string> {
  const status = await gitStatus(["--short"], { folder, environment });
  expectDone("show the changes", status);
  return status.output.trimEnd();
}

function question(message: string, status: string, { folder, environment }: CommitContext): Asked {
  const files = status.split("\n");
  const more = files.length - MAX_FILES;
  const lines = [...files.slice(0, MAX_FILES), ...(more > 0 ? [`… and ${more} more`] : [])];
  const place = homePath(folder, environment["HOME"]) ?? folder;
  return yesOrNo(`Commit these changes in ${place}?`, "commit them", { lines, reason: `/commit ${message}` });
}

function expectDone(what: string, { exitCode, output }: GitResult, signal?: AbortSignal): void {
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
