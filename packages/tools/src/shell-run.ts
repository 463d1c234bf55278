import { existsSync } from "node:fs";
import { type Environment, errorCode, looksSecret, namesSocket, secondsText, whenAborted } from "@mdx-ai/base";
import { OUTPUT_LIMIT, type SandboxAccess, type ToolContext } from "@mdx-ai/loop";
import { killGroup } from "@mdx-ai/mcp/reaper";
import {
  type CommandSandbox,
  firstComplaint,
  MAX_KIBIBYTES,
  type ProcessStart,
  type Sandbox,
  type StartedProcess,
  startBare,
} from "@mdx-ai/sandbox";
import { LiveTail, ShellOutput } from "./shell-output.ts";

/** The environment of the shell, and its sandbox, if it has one. */
export interface ShellOptions {
  /** The user's environment variables; a command gets the ones that do not look secret. */
  readonly environment: Environment;
  readonly sandbox?: Sandbox | undefined;
}

export interface ShellCommand extends ShellOptions {
  readonly command: string;
  /** Its working directory. Absolute. */
  readonly cwd: string;
  readonly seconds: number;
  /**
   * Runs it in a login shell and keeps this many characters each of standard output and standard error. Default: merged output,
   * in a plain shell.
   */
  readonly separate?: number | undefined;
  /** Receives the output as it arrives. Must not throw. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** How a command ended. */
export interface ShellEnd {
  readonly output: ShellOutput;
  /** Its standard error, if separate. */
  readonly errors: ShellOutput | undefined;
  readonly shell: Pick<StartedProcess, "exitCode" | "signalCode">;
  /** Why it failed, a line without a full stop; undefined if the command succeeded. */
  readonly problem: string | undefined;
  readonly timedOut: boolean;
  /** The access that its sandbox blocked; undefined if none. */
  readonly blocked: SandboxAccess | undefined;
  /** The access that its sandbox blocked and allows, as text for the model; "" if it blocked none. */
  readonly note: string;
}

/** A command could not be started. */
class CommandNotStartedError extends Error {
  override readonly name = "CommandNotStartedError";
}

/**
 * Runs a command once, in a sandbox with these grants, and waits for its end; the last lines of its output are partial results.
 * Rejects with `CommandNotStartedError` or the system's error.
 */
export async function runShell(
  shellCommand: ShellCommand,
  granted: readonly SandboxAccess[],
  { signal, update }: Pick<ToolContext, "signal"> & { readonly update: (text: string) => void },
): Promise<ShellEnd> {
  const { sandbox, seconds, separate, onOutput } = shellCommand;
  const isContained = granted.every(({ kind }) => kind !== "outside");
  const containing = isContained ? sandbox?.contain({ purpose: "shell", granted }) : undefined;
  // Prepared while the sandbox is being made.
  const contained = containing && sandbox?.mode !== "off" ? processOf(shellCommand, true) : undefined;
  const commandSandbox = await containing;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timedOut = false;
  const tail = new LiveTail(update);
  try {
    const shell = start(shellCommand, commandSandbox, contained);
    const kill = (): void => killGroup(shell.pid);
    timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, seconds * 1000);
    using _listener = whenAborted(signal, kill);
    const onText = (text: string): void => {
      tail.add(text);
      if (text !== "") onOutput?.(text);
    };
    const output = new ShellOutput(separate, onText);
    const errors = separate === undefined ? undefined : new ShellOutput(separate, onText);
    await Promise.all([
      output.readUntilExit(shell.stdout, shell.exited),
      errors?.readUntilExit(shell.stderr, shell.exited),
    ]);
    const problem = timedOut
      ? `killed: it timed out after ${secondsText(seconds)}`
      : await endProblem(shell, errors !== undefined);
    const shown = [output, errors].flatMap((stream) => stream?.text(OUTPUT_LIMIT) ?? []).join("\n");
    const ended = { output: shown, hasFailed: problem !== undefined };
    const blocked = commandSandbox?.blocked(ended);
    return { output, errors, shell, problem, timedOut, blocked, note: commandSandbox?.noteOn(ended) ?? "" };
  } finally {
    clearTimeout(timer);
    tail.stop();
    commandSandbox?.release();
  }
}

/** The shell that runs commands. Absolute. */
export const shellProgram = (): string => (existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh");

function processOf({ command, cwd, environment, separate }: ShellCommand, isContained: boolean): ProcessStart {
  return {
    command: [shellProgram(), separate === undefined ? "-c" : "-lc", "--", command],
    cwd,
    environment: { ...plainOutput(environment), ...shellEnvironment(environment, isContained), TERM: "dumb" },
    hasChannel: false,
    separatesErrors: separate !== undefined,
    ...(isContained && { kibibytes: MAX_KIBIBYTES.shell }),
  };
}

/** Variables that make programs write plain text and start no pager; the user's values win. */
function plainOutput(environment: Environment): Record<string, string> {
  // Node warns if both are set, and escape codes are removed anyway.
  const isForced = environment["FORCE_COLOR"] !== undefined || environment["CLICOLOR_FORCE"] !== undefined;
  return { ...(!isForced && { NO_COLOR: "1" }), PAGER: "cat", GIT_PAGER: "cat" };
}

function start(shellCommand: ShellCommand, commandSandbox?: CommandSandbox, contained?: ProcessStart): StartedProcess {
  try {
    if (commandSandbox === undefined) return startBare(processOf(shellCommand, false));
    return commandSandbox.start(contained ?? processOf(shellCommand, true));
  } catch (cause) {
    throw new CommandNotStartedError(startProblem(shellCommand, cause), { cause });
  }
}

function startProblem({ command, cwd }: ShellCommand, cause: unknown): string {
  if (command.includes("\0")) return "the command contains a null character";
  if (!existsSync(cwd)) return `its folder ${JSON.stringify(cwd)} does not exist`;
  if (errorCode(cause) === "E2BIG") return "the command is too long: write it to a file and run that";
  return `the shell did not start: ${String(cause)}`;
}

async function endProblem(
  { exitCode, signalCode, stderr }: StartedProcess,
  isSeparate: boolean,
): Promise<string | undefined> {
  if (signalCode !== null) return `ended by signal ${signalCode}`;
  if (exitCode === 0) return undefined;
  // The command's errors are in its output.
  const obstacle = isSeparate ? "" : await firstComplaint(stderr);
  return obstacle === "" ? `exit code ${exitCode}` : `the command did not start: ${obstacle}`;
}

/**
 * The user's variables, without secrets, since a model can read everything that a shell can, and without sockets. Outside a
 * sandbox the SSH agent stays: git needs it, and the user was asked.
 */
export function shellEnvironment(environment: Environment, isContained: boolean): Record<string, string> {
  const isWithheld = (name: string, value: string): boolean =>
    looksSecret(name, value) || (namesSocket(name) && (isContained || name !== "SSH_AUTH_SOCK"));
  const shown = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || isWithheld(name, value) ? [] : [[name, value]],
  );
  return Object.fromEntries(shown);
}
