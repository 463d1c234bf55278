import { existsSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import { errorCode } from "../files/error-code.ts";
import type { Enclosure } from "../sandbox/enclosure.ts";
import { DEFAULT_SECONDS, MOST_KIBIBYTES } from "../sandbox/process-limits.ts";
import { killGroup } from "../sandbox/reaper.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";
import { type StartedProcess, startBare } from "../sandbox/start-process.ts";
import type { AgentTool, ToolContext, ToolResult } from "../types/tool.ts";
import { shellEnvironment } from "./shell-environment.ts";
import { ShellOutput } from "./shell-output.ts";
import { OUTPUT_LIMIT, textResult } from "./tool-result.ts";

const MOST_SECONDS = 86_400;

/** What the shell receives, and its sandbox, if it has one. */
export interface BashOptions {
  /** Absolute: where commands run. */
  readonly agentDir: string;
  /** The user's variables; a command gets those that do not look like secrets. */
  readonly environment: Environment;
  readonly sandbox?: Sandbox | undefined;
}

/** The builtin tool `bash`. */
export function bashTool(options: BashOptions): AgentTool {
  return {
    name: "bash",
    description: `Run a shell command in the agent's directory and give its output. It has no input, and is killed after ${DEFAULT_SECONDS.shell} seconds if \`timeout\` does not say otherwise.`,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command" },
        timeout: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: MOST_SECONDS,
          description: `Seconds until it is killed; default ${DEFAULT_SECONDS.shell}`,
        },
      },
      required: ["command"],
    },
    touch: async (args) => ({ kind: "command", command: String(args["command"]) }),
    execute: async (args, context) => {
      const seconds = typeof args["timeout"] === "number" ? args["timeout"] : DEFAULT_SECONDS.shell;
      return run({ command: String(args["command"]), seconds, ...options }, context);
    },
  };
}

/** A command did not even begin. */
class CommandNotStartedError extends Error {
  override readonly name = "CommandNotStartedError";
}

interface ShellCommand extends BashOptions {
  readonly command: string;
  readonly seconds: number;
}

async function run(shellCommand: ShellCommand, { signal }: ToolContext): Promise<ToolResult> {
  const enclosure = await shellCommand.sandbox?.enclose({ purpose: "shell" });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let timedOut = false;
  let kill = (): void => {};
  try {
    const shell = start(shellCommand, enclosure);
    kill = () => killGroup(shell.pid);
    timer = setTimeout(() => {
      timedOut = true;
      kill();
    }, shellCommand.seconds * 1000);
    signal.addEventListener("abort", kill, { once: true });
    if (signal.aborted) kill();
    const output = new ShellOutput();
    await output.readUntilExit(shell.stdout, shell.exited);
    const problem = timedOut ? `killed: it was not done after ${shellCommand.seconds} seconds` : endProblem(shell);
    const note = enclosure?.noteOn(output.text(OUTPUT_LIMIT)) ?? "";
    return shellResult(output, shell, { problem, note, timedOut });
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
    return enclosure?.start({ ...process, kibibytes: MOST_KIBIBYTES.shell }) ?? startBare(process);
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

interface End {
  readonly problem: string | undefined;
  /** What the sandbox held back; "" if nothing. */
  readonly note: string;
  readonly timedOut: boolean;
}

function shellResult(
  output: ShellOutput,
  { exitCode, signalCode }: StartedProcess,
  { problem, note, timedOut }: End,
): ToolResult {
  const notices = [problem === undefined ? "" : `[${problem}]`, note].filter((notice) => notice !== "").join("\n");
  // The model receives all of it: the output makes room for the notices.
  const limit = OUTPUT_LIMIT - (notices === "" ? 0 : notices.length + 1);
  const { bytes, characters } = output;
  const text = output.text(limit);
  const noticed = notices === "" || text === "" ? text || notices : `${text.replace(/\n$/, "")}\n${notices}`;
  return {
    ...textResult(noticed || "[no output]"),
    ...(problem !== undefined && { isError: true }),
    details: { exitCode, signal: signalCode, timedOut, bytes, truncated: characters > limit },
  };
}

function endProblem({ exitCode, signalCode }: StartedProcess): string | undefined {
  if (signalCode !== null) return `ended by signal ${signalCode}`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}
