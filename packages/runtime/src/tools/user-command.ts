import { lineText } from "@mdx-ai/base";
import { OUTPUT_LIMIT, type SandboxAccess } from "@mdx-ai/loop";
import { type AttachedProcess, attachBare, MAX_KIBIBYTES } from "@mdx-ai/sandbox";
import { runShell, type ShellOptions, shellEnvironment } from "@mdx-ai/tools";
import type { UserCommand, UserCommandEnd } from "../types/agent.ts";
import type { HookCommand, HookCommandEnd } from "../types/module.ts";

interface GrantedCommand extends UserCommand, ShellOptions {
  /** The folder in which it runs. Absolute. */
  readonly cwd: string;
  /** The user's grants for all commands of the tool `bash`. */
  readonly granted: readonly SandboxAccess[];
}

/** The longest timer, since the user stops commands that take too long. */
const MAX_SECONDS = 2_000_000;

/** As `UserShell.run`. */
export async function runUserCommand({ signal, granted, ...command }: GrantedCommand): Promise<UserCommandEnd> {
  const { output, problem, note } = await runShell({ ...command, seconds: MAX_SECONDS }, granted, {
    signal,
    update() {},
  });
  const problems = [signal.aborted ? "stopped by the user" : (problem ?? ""), note];
  return { output: output.text(OUTPUT_LIMIT), problem: problems.filter((line) => line !== "").join("\n") };
}

/** Runs a command of a module. Never rejects. */
export async function runModuleCommand(
  { command, cwd, input, environment, signal }: HookCommand,
  { granted, ...shell }: ShellOptions & Pick<GrantedCommand, "granted">,
): Promise<HookCommandEnd> {
  const started = {
    ...{ ...shell, command, cwd, input, separate: OUTPUT_LIMIT, seconds: MAX_SECONDS },
    environment: { ...shell.environment, ...environment },
  };
  try {
    const end = await runShell(started, granted, { signal, update() {} });
    const stderr = [end.errors?.text(OUTPUT_LIMIT) ?? "", end.note].filter((text) => text !== "").join("\n");
    const exitCode = signal.aborted ? undefined : (end.shell.exitCode ?? undefined);
    return { exitCode, hasStarted: true, stdout: end.output.text(OUTPUT_LIMIT), stderr };
  } catch (error) {
    return { exitCode: undefined, hasStarted: false, stdout: "", stderr: lineText(error) };
  }
}

interface AttachedCommand {
  readonly command: readonly string[];
  /** The folder in which it runs. Absolute. */
  readonly cwd: string;
  /** The user's grants for all commands of the tool. */
  readonly granted: readonly SandboxAccess[];
}

/** As `UserShell.attach`: starts a command in the environment of the tool `bash`. */
export async function attachCommand(
  { environment, sandbox }: ShellOptions,
  { command, cwd, granted }: AttachedCommand,
): Promise<AttachedProcess> {
  const commandSandbox = await sandbox?.contain({ purpose: "shell", granted });
  const start = { command, cwd, environment: shellEnvironment(environment, commandSandbox !== undefined) };
  if (commandSandbox === undefined) return attachBare(start);
  try {
    const attached = commandSandbox.attach({ ...start, kibibytes: MAX_KIBIBYTES.shell });
    return { ...attached, exited: attached.exited.finally(() => commandSandbox.release()) };
  } catch (error) {
    commandSandbox.release();
    throw error;
  }
}
