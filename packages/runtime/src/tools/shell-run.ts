import { existsSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import { errorCode } from "../files/error-code.ts";
import { looksSecret } from "../redaction/secret-pattern.ts";
import type { Enclosure } from "../sandbox/enclosure.ts";
import { showsRefusal } from "../sandbox/held-back-host.ts";
import { killGroup } from "../sandbox/reaper.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type StartedProcess, startBare } from "../sandbox/start-process.ts";
import type { SandboxAccess } from "../types/permission.ts";
import { ShellOutput } from "./shell-output.ts";
import { OUTPUT_LIMIT } from "./tool-result.ts";

/** KiB of data that each process of a contained command may use: 4 GiB. */
const MEMORY_KIBIBYTES = 4_194_304;

/** What the shell receives, and its sandbox, if it has one. */
export interface ShellOptions {
  /** Absolute: where commands run. */
  readonly agentDir: string;
  /** The user's variables; a command gets those that do not look like secrets. */
  readonly environment: Environment;
  readonly sandbox?: Sandbox | undefined;
}

export interface ShellCommand extends ShellOptions {
  readonly command: string;
  readonly seconds: number;
}

/** How a command ended. */
export interface ShellEnd {
  readonly output: ShellOutput;
  readonly shell: Pick<StartedProcess, "exitCode" | "signalCode">;
  /** A line without a full stop; undefined if the command succeeded. */
  readonly problem: string | undefined;
  readonly timedOut: boolean;
  /** What its sandbox held back; undefined if nothing shows, or the command succeeded without it. */
  readonly held: SandboxAccess | undefined;
  /** What its sandbox held back and allows, for the model; "" if nothing shows. */
  readonly note: string;
}

/** A command did not even begin. */
class CommandNotStartedError extends Error {
  override readonly name = "CommandNotStartedError";
}

/**
 * Runs a command once, in a sandbox that is opened so far, and waits for its end. Rejects with `CommandNotStartedError` or the
 * system's error.
 */
export async function runShell(
  shellCommand: ShellCommand,
  opened: readonly SandboxAccess[],
  signal: AbortSignal,
): Promise<ShellEnd> {
  const { command, sandbox, seconds } = shellCommand;
  const isContained = opened.every(({ kind }) => kind !== "outside");
  const enclosure = isContained ? await sandbox?.enclose({ purpose: "shell", opened }) : undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timedOut = false;
  let kill = (): void => {};
  try {
    const shell = start(shellCommand, enclosure);
    kill = () => killGroup(shell.pid);
    timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, seconds * 1000);
    signal.addEventListener("abort", kill, { once: true });
    if (signal.aborted) kill();
    const output = new ShellOutput();
    await output.readUntilExit(shell.stdout, shell.exited);
    const problem = timedOut ? `killed: it was not done after ${seconds} seconds` : endProblem(shell);
    const ended = { command, output: output.text(OUTPUT_LIMIT), exitCode: shell.exitCode };
    const hasFailed = problem !== undefined || showsRefusal(ended.output);
    const held = hasFailed ? enclosure?.heldBack(ended) : undefined;
    return { output, shell, problem, timedOut, held, note: enclosure?.noteOn(ended) ?? "" };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
    enclosure?.release();
  }
}

function start(shellCommand: ShellCommand, enclosure?: Enclosure): StartedProcess {
  const { command, agentDir, environment } = shellCommand;
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const words = [shell, "-c", "--", command];
  const process = { command: words, cwd: agentDir, environment: shellEnvironment(environment), hasChannel: false };
  try {
    return enclosure?.start({ ...process, kibibytes: MEMORY_KIBIBYTES }) ?? startBare(process);
  } catch (cause) {
    throw new CommandNotStartedError(startProblem(shellCommand, cause), { cause });
  }
}

function startProblem({ command, agentDir }: ShellCommand, cause: unknown): string {
  if (command.includes("\0")) return "the command holds a null character";
  if (!existsSync(agentDir)) return `the agent's directory ${JSON.stringify(agentDir)} does not exist`;
  if (errorCode(cause) === "E2BIG") return "the command is too long: write it to a file and run that";
  return `the shell did not start: ${String(cause)}`;
}

function endProblem({ exitCode, signalCode }: StartedProcess): string | undefined {
  if (signalCode !== null) return `ended by signal ${signalCode}`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}

/** The user's variables without those that look like secrets by name or value: a model can read what a shell can. */
function shellEnvironment(environment: Environment): Record<string, string> {
  const shown = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined || looksSecret(name, value) ? [] : [[name, value]],
  );
  return Object.fromEntries(shown);
}
