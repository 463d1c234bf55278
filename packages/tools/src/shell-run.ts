import { existsSync } from "node:fs";
import {
  type Environment,
  errorCode,
  errorMessage,
  looksSecret,
  namesSocket,
  secondsText,
  whenAborted,
} from "@mdx-ai/base";
import { OUTPUT_LIMIT, type SandboxAccess, type ToolContext } from "@mdx-ai/loop";
import { killGroup, type Reaper } from "@mdx-ai/mcp/reaper";
import {
  type CommandSandbox,
  HOST_NETWORK,
  MAX_KIBIBYTES,
  type ProcessStart,
  type Sandbox,
  type StartedProcess,
  startBare,
} from "@mdx-ai/sandbox";
import { endLeftBehind, leftNote, linesOf } from "./left-behind.ts";
import { LiveTail, ShellOutput } from "./shell-output.ts";

/** The environment of the shell, and its sandbox, if it has one. */
export interface ShellOptions {
  /** The user's environment variables; a command gets the ones that do not look secret. */
  readonly environment: Environment;
  readonly sandbox?: Sandbox | undefined;
  /** Ends commands without a sandbox if this process is killed; a sandbox ends with its process anyway. */
  readonly reaper?: (() => Promise<Pick<Reaper, "watch" | "descriptor">>) | undefined;
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
  /** For its standard input; only with separate output, and in a plain shell. Default: none. */
  readonly input?: string | undefined;
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
  /** The access that its sandbox blocked and allows, and the programs that ended with it, as text for the model; "" if none. */
  readonly note: string;
  /** Identifies its network: commands with the same one reach each other's ports. */
  readonly network: unknown;
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
  const { seconds, onOutput } = shellCommand;
  const tail = new LiveTail(update);
  const onText = (text: string): void => {
    tail.add(text);
    if (text !== "") onOutput?.(text);
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    const running = await startShell({ ...shellCommand, onOutput: onText }, granted);
    timer = setTimeout(() => running.kill(`it timed out after ${secondsText(seconds)}`), seconds * 1000);
    using _listener = whenAborted(signal, () => running.kill());
    return await running.ended;
  } finally {
    clearTimeout(timer);
    tail.stop();
  }
}

/** A command that runs. */
export interface RunningShell {
  /** The leader of its process group. */
  readonly pid: number;
  /** As of `ShellEnd`. */
  readonly network: unknown;
  /** Rejects with the system's error. */
  readonly ended: Promise<ShellEnd>;
  /** Kills it and all that it started; `why` counts as a timeout, and is a line without a full stop. Never throws. */
  kill(why?: string): void;
}

/** Starts a command in a sandbox with these grants. Rejects with `CommandNotStartedError` or the system's error. */
export async function startShell(
  shellCommand: Omit<ShellCommand, "seconds">,
  granted: readonly SandboxAccess[],
): Promise<RunningShell> {
  const { sandbox } = shellCommand;
  const isContained = granted.every(({ kind }) => kind !== "outside");
  const containing = isContained ? sandbox?.contain({ purpose: "shell", granted }) : undefined;
  // Prepared while the sandbox is being made.
  const contained = containing && sandbox?.mode !== "off" ? processOf(shellCommand, true) : undefined;
  const commandSandbox = await containing;
  const reaper = commandSandbox === undefined ? await shellCommand.reaper?.() : undefined;
  try {
    const process = contained ?? processOf(shellCommand, commandSandbox !== undefined);
    const shell = await start(shellCommand, { ...process, reports: reaper?.descriptor }, commandSandbox);
    const unwatch = reaper?.watch(shell.pid);
    let killed: string | undefined;
    const ended = endOf(shell, { shellCommand, process, commandSandbox, why: () => killed });
    return {
      pid: shell.pid,
      network: networkOf(commandSandbox),
      ended: ended.finally(() => {
        unwatch?.();
        commandSandbox?.release();
      }),
      kill: (why) => {
        killed ??= why;
        killGroup(shell.pid);
      },
    };
  } catch (error) {
    commandSandbox?.release();
    throw error;
  }
}

const networkOf = (commandSandbox: CommandSandbox | undefined): unknown => commandSandbox?.network ?? HOST_NETWORK;

interface StartedShell {
  readonly shellCommand: Omit<ShellCommand, "seconds">;
  readonly process: ProcessStart;
  readonly commandSandbox: CommandSandbox | undefined;
  /** Why it was killed, if it was. */
  readonly why: () => string | undefined;
}

async function endOf(
  shell: StartedProcess,
  { shellCommand: { separate, command, sandbox, onOutput }, process, commandSandbox, why }: StartedShell,
): Promise<ShellEnd> {
  const output = new ShellOutput(separate, onOutput);
  const errors = separate === undefined ? undefined : new ShellOutput(separate, onOutput);
  const left = commandSandbox === undefined ? shell.exited.then(() => endLeftBehind(shell.pid)) : undefined;
  // Otherwise the command's errors are in its output.
  const said = separate === undefined ? linesOf(shell.stderr, process.leftMark) : undefined;
  await Promise.all([
    output.readUntilExit(shell.stdout, shell.exited),
    errors?.readUntilExit(shell.stderr, shell.exited),
  ]);
  const { marked = [], others: [obstacle = ""] = [] } = (await said) ?? {};
  const missing = commandSandbox === undefined ? sandbox?.missingKey(command) : undefined;
  const killed = why();
  const problem = killed === undefined ? endProblem(shell, obstacle) : `killed: ${killed}`;
  const shown = [output, errors].flatMap((stream) => stream?.text(OUTPUT_LIMIT) ?? []).join("\n");
  const ended = { command, output: shown, hasFailed: problem !== undefined };
  const ofSandbox = missing === undefined ? await commandSandbox?.noteOn(ended) : `[${missing}]`;
  const notes = [ofSandbox ?? "", leftNote((await left) ?? marked)];
  return {
    ...{ output, errors, shell, problem, timedOut: killed !== undefined },
    blocked: commandSandbox?.blocked(ended),
    network: networkOf(commandSandbox),
    note: notes.filter((note) => note !== "").join("\n"),
  };
}

/** The shell that runs commands. Absolute. */
export const shellProgram = (): string => (existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh");

function processOf(
  { command, cwd, environment, separate, input }: Omit<ShellCommand, "seconds">,
  isContained: boolean,
): ProcessStart {
  return {
    command: [shellProgram(), separate === undefined || input !== undefined ? "-c" : "-lc", "--", command],
    cwd,
    environment: { ...plainOutput(environment), ...shellEnvironment(environment, isContained), TERM: "dumb" },
    hasChannel: false,
    separatesErrors: separate !== undefined,
    ...(input !== undefined && { input }),
    ...(isContained && { kibibytes: MAX_KIBIBYTES.shell }),
    ...(isContained && separate === undefined && { leftMark: `${crypto.randomUUID()} ` }),
  };
}

/** Variables that make programs write plain text and start no pager; the user's values win. */
function plainOutput(environment: Environment): Record<string, string> {
  // Node warns if both are set, and escape codes are removed anyway.
  const isForced = environment["FORCE_COLOR"] !== undefined || environment["CLICOLOR_FORCE"] !== undefined;
  return { ...(!isForced && { NO_COLOR: "1" }), PAGER: "cat", GIT_PAGER: "cat" };
}

async function start(
  shellCommand: Omit<ShellCommand, "seconds">,
  process: ProcessStart,
  commandSandbox?: CommandSandbox,
): Promise<StartedProcess> {
  try {
    return commandSandbox === undefined ? startBare(process) : await commandSandbox.start(process);
  } catch (cause) {
    throw new CommandNotStartedError(startProblem(shellCommand, cause), { cause });
  }
}

function startProblem({ command, cwd }: Pick<ShellCommand, "command" | "cwd">, cause: unknown): string {
  if (command.includes("\0")) return "the command contains a null character";
  if (!existsSync(cwd)) return `its folder ${JSON.stringify(cwd)} does not exist`;
  if (errorCode(cause) === "E2BIG") return "the command is too long: write it to a file and run that";
  return `the shell did not start: ${errorMessage(cause)}`;
}

/** `obstacle` is what kept the shell from starting; "" if nothing did. */
function endProblem({ exitCode, signalCode }: StartedProcess, obstacle: string): string | undefined {
  if (signalCode !== null) return `ended by signal ${signalCode}`;
  if (exitCode === 0) return undefined;
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
