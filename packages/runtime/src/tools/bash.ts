import { existsSync } from "node:fs";
import type { Environment } from "@mdx-ai/models";
import { errorCode } from "../files/error-code.ts";
import { looksSecret } from "../redaction/secret-pattern.ts";
import type { Enclosure, Sandbox } from "../sandbox/sandbox.ts";
import type { AgentTool, ToolContext, ToolResult } from "../types/tool.ts";
import { killGroup } from "./process-group.ts";
import { ShellOutput } from "./shell-output.ts";
import { OUTPUT_LIMIT } from "./text-limit.ts";
import { textResult } from "./tool-result.ts";

const DEFAULT_SECONDS = 30;
const MOST_SECONDS = 86_400;

/** KiB of data that each process of a contained command may hold: 4 GiB. */
const MEMORY_KIBIBYTES = 4_194_304;

/** Joins the two outputs before the shell starts, so that their lines keep the order in which they were written. */
const JOINED = 'exec "$@" 2>&1';

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
    description: `Run a shell command in the agent's directory and give its output. It has no input, and is killed after ${DEFAULT_SECONDS} seconds if \`timeout\` does not say otherwise.`,
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command" },
        timeout: {
          type: "number",
          exclusiveMinimum: 0,
          maximum: MOST_SECONDS,
          description: `Seconds until it is killed; default ${DEFAULT_SECONDS}`,
        },
      },
      required: ["command"],
    },
    touch: async (args) => ({ kind: "command", command: String(args["command"]) }),
    execute: async (args, context) => {
      const seconds = typeof args["timeout"] === "number" ? args["timeout"] : DEFAULT_SECONDS;
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

type ShellProcess = Bun.Subprocess<"ignore", "pipe", "ignore">;

async function run(shellCommand: ShellCommand, context: ToolContext): Promise<ToolResult> {
  const enclosure = await shellCommand.sandbox?.enclose({ purpose: "shell", kibibytes: MEMORY_KIBIBYTES });
  try {
    return await runIn(enclosure, shellCommand, context);
  } finally {
    enclosure?.release();
  }
}

async function runIn(
  enclosure: Enclosure | undefined,
  shellCommand: ShellCommand,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const shell = start(shellCommand, enclosure);
  enclosure?.started(shell.pid);
  const output = new ShellOutput();
  let timedOut = false;
  const kill = (): void => killGroup(shell.pid);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, shellCommand.seconds * 1000);
  signal.addEventListener("abort", kill, { once: true });
  if (signal.aborted) kill();
  try {
    await output.readUntilExit(shell.stdout, shell.exited);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", kill);
  }
  return shellResult(output, shell, {
    timedOutAfter: timedOut ? shellCommand.seconds : undefined,
    note: enclosure?.noteOn(output.text(OUTPUT_LIMIT)) ?? "",
  });
}

function start(shellCommand: ShellCommand, enclosure?: Enclosure): ShellProcess {
  const { command, agentDir, environment } = shellCommand;
  const shell = existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh";
  const joined = ["/bin/sh", "-c", JOINED, "sh", shell, "-c", "--", command];
  try {
    return Bun.spawn(enclosure?.command(joined) ?? joined, {
      cwd: agentDir,
      env: { ...shellEnvironment(environment), ...enclosure?.environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "ignore",
      // A process group of its own, so that whatever the command starts can be killed with it.
      detached: true,
    });
  } catch (cause) {
    throw new CommandNotStartedError(startProblem(shellCommand, cause), { cause });
  }
}

function startProblem({ command, agentDir }: ShellCommand, cause: unknown): string {
  if (command.includes("\0")) return "the command holds a null character";
  if (!existsSync(agentDir)) return `the agent's directory ${JSON.stringify(agentDir)} does not exist`;
  const isLong = errorCode(cause) === "E2BIG";
  return isLong
    ? "the command is too long: write it to a file and run that"
    : `the shell did not start: ${String(cause)}`;
}

interface End {
  /** Seconds after which the command was killed. */
  readonly timedOutAfter: number | undefined;
  /** What the sandbox held back; "" if nothing. */
  readonly note: string;
}

function shellResult(
  output: ShellOutput,
  { exitCode, signalCode }: ShellProcess,
  { timedOutAfter, note }: End,
): ToolResult {
  const problem = endProblem(exitCode, signalCode, timedOutAfter);
  const notices = [problem === undefined ? "" : `[${problem}]`, note].filter((notice) => notice !== "").join("\n");
  // The model receives all of it: the output makes room for the notices.
  const limit = OUTPUT_LIMIT - (notices === "" ? 0 : notices.length + 1);
  const truncated = output.characters > limit;
  const { bytes } = output;
  return {
    ...textResult(withNotices(output.text(limit), notices)),
    ...(problem !== undefined && { isError: true }),
    details: { exitCode, signal: signalCode, timedOut: timedOutAfter !== undefined, bytes, truncated },
  };
}

function withNotices(text: string, notices: string): string {
  if (notices === "") return text === "" ? "[no output]" : text;
  return text === "" ? notices : `${text.replace(/\n$/, "")}\n${notices}`;
}

function endProblem(
  exitCode: number | null,
  signal: string | number | null,
  timedOutAfter: number | undefined,
): string | undefined {
  if (timedOutAfter !== undefined) return `killed: it was not done after ${timedOutAfter} seconds`;
  if (signal !== null) return `ended by signal ${signal}`;
  return exitCode === 0 ? undefined : `exit code ${exitCode}`;
}

/** The user's variables without those that look like secrets by name or value: a model can read what a shell can. */
function shellEnvironment(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined || looksSecret(name, value) ? [] : [[name, value]],
    ),
  );
}
