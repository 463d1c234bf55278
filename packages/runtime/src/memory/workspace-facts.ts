import { release, type } from "node:os";
import { type Clock, type Environment, isRecord, isText } from "@mdx-ai/base";
import { localTime } from "@mdx-ai/base/disk";
import { gitStatus } from "@mdx-ai/sandbox";
import { shellProgram } from "@mdx-ai/tools";
import type { GitState, WorkspaceFacts } from "../types/memory.ts";

/** How long git may take, in milliseconds; in a huge repository the model then is not told of its state. */
const MAX_MILLISECONDS = 1_000;

export interface FactsOptions {
  readonly clock: Clock;
  readonly environment: Environment;
}

/** Reads what a model should know of the place where it works. Runs no program that the repository names. Never rejects. */
export async function readWorkspaceFacts(
  folder: string,
  { clock, environment }: FactsOptions,
): Promise<WorkspaceFacts> {
  const git = await gitState(folder, environment);
  return {
    date: localTime(clock.now()).slice(0, 10),
    platform: `${type()} ${release()}, ${process.arch}`,
    shell: shellProgram(),
    ...(git !== undefined && { git }),
  };
}

/** The state of the folder's repository; undefined if there is none, or git is missing, fails or takes too long. */
async function gitState(folder: string, environment: Environment): Promise<GitState | undefined> {
  const signal = AbortSignal.timeout(MAX_MILLISECONDS);
  try {
    const { exitCode, printed } = await gitStatus(["--porcelain=v2", "--branch"], { folder, environment, signal });
    if (exitCode !== 0) return undefined;
    const lines = printed.split("\n").filter((line) => line !== "");
    const branch = lines.find((line) => line.startsWith(BRANCH))?.slice(BRANCH.length) ?? "";
    return { branch: branch === "(detached)" ? "" : branch, isClean: lines.every((line) => line.startsWith("# ")) };
  } catch {
    return undefined;
  }
}

/** Begins the line with the branch in the second format of `git status --porcelain`. */
const BRANCH = "# branch.head ";

/** Whether a value that came out of JSON is a `WorkspaceFacts`. */
export const isWorkspaceFacts = (value: unknown): value is WorkspaceFacts =>
  isRecord(value) &&
  [value["date"], value["platform"], value["shell"]].every(isText) &&
  (value["git"] === undefined || isGitState(value["git"]));

const isGitState = (value: unknown): value is GitState =>
  isRecord(value) && isText(value["branch"]) && typeof value["isClean"] === "boolean";
