import type { UserCommand, UserCommandEnd } from "../types/agent.ts";
import type { SandboxAccess } from "../types/permission.ts";
import { runShell, type ShellOptions } from "./shell-run.ts";
import { OUTPUT_LIMIT } from "./tool-result.ts";

interface OpenedCommand extends UserCommand, ShellOptions {
  /** The folder in which it runs. Absolute. */
  readonly cwd: string;
  /** What the user opened for all commands of the tool `bash`. */
  readonly opened: readonly SandboxAccess[];
}

/** The longest time that a timer can wait for: the user ends what takes too long. */
const MOST_SECONDS = 2_000_000;

/** As `Agent.runCommand`. */
export async function runUserCommand({ signal, opened, ...command }: OpenedCommand): Promise<UserCommandEnd> {
  const { output, problem, note } = await runShell({ ...command, seconds: MOST_SECONDS }, opened, {
    signal,
    update() {},
  });
  const problems = [signal.aborted ? "stopped by the user" : (problem ?? ""), note];
  return { output: output.text(OUTPUT_LIMIT), problem: problems.filter((line) => line !== "").join("\n") };
}
