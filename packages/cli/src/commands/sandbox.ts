import { realpathSync } from "node:fs";
import {
  approvalsFolder,
  type OpenDirectory,
  openForTools,
  prepareRun,
  type RunOptions,
  readManifest,
  readRunnable,
} from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import type { AgentDirectory } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import type { AttachedProcess } from "@mdx-ai/sandbox";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { sandboxText } from "../inspection/sandbox-text.ts";

/**
 * `mdx-ai sandbox`: shows what an agent's shell and tools can read, write and reach, or runs a command in that sandbox and returns its exit
 * code. Runs no code of the directory, so it needs no trust.
 */
export async function runSandbox(args: ParsedArguments, context: CommandContext): Promise<number> {
  const { command } = args;
  const given = { ...readRunOptions(args, context), isEphemeral: true };
  checkCommand(args);
  const directory = await readRunnable(given.directory, context);
  // Without a sandbox, running a command needs an explicit flag.
  const run =
    command === undefined || given.sandboxMode === "off" ? given : { ...given, sandboxMode: "required" as const };
  const { agent, close } = await openWithoutCode(run, directory, context);
  try {
    if (command !== undefined) return await runAttached(agent, command);
    await show({ agent, directory }, args, context);
    return EXIT_CODE.done;
  } finally {
    await close();
  }
}

function checkCommand({ command, switches }: ParsedArguments): void {
  if (command === undefined) return;
  if (command.length === 0) throw new UsageError("there is no command after --; write: mdx-ai sandbox DIR -- COMMAND");
  const page = ["json", "all"].find((name) => switches.has(name));
  if (page !== undefined) throw new UsageError(`--${page} has no effect with a command; leave it out`);
}

/** Protects the same files as a trusted run, although none of them runs. */
async function openWithoutCode(
  options: RunOptions,
  read: AgentDirectory,
  context: CommandContext,
): Promise<OpenDirectory> {
  const manifest = await readManifest(read);
  const { program: _program, ...definition } = read.definition;
  const directory = { ...read, definition: { ...definition, modules: [] }, manifest };
  const run = await prepareRun(options, directory, context);
  // An ephemeral run keeps no approvals; here those of earlier runs apply.
  const approvalsDirectory = approvalsFolder(read.path, context);
  const settings = { ...run.settings, ...(approvalsDirectory !== undefined && { approvalsDirectory }) };
  return openForTools({ ...run, settings }, context);
}

interface Shown {
  readonly agent: Agent;
  /** Its modules are loaded. */
  readonly directory: AgentDirectory;
}

async function show({ agent, directory }: Shown, args: ParsedArguments, context: CommandContext): Promise<void> {
  const { stdout, environment } = context;
  const { modules } = directory.definition;
  const page = { directory: realpathSync.native(directory.path), ...(await agent.shell.describe()), modules };
  const text = args.switches.has("json")
    ? `${jsonText(page, 2)}\n`
    : sandboxText(page, {
        home: environment["HOME"],
        isFull: args.switches.has("all"),
        paint: context.paint,
      });
  stdout.write(text);
}

/** Signals forwarded to the command. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a command where an agent's shell runs and returns its exit code. The command has a separate process session, so that it cannot type
 * into the terminal; signals such as Ctrl+C and Ctrl+Z are forwarded.
 */
async function runAttached(agent: Agent, command: readonly string[]): Promise<number> {
  const attaching = agent.shell.attach(command);
  const forget = forwardSignals(attaching);
  try {
    const attached = await attaching;
    return await attached.exited;
  } finally {
    forget();
  }
}

/** Forwards signals, including those that arrive while the command starts. */
function forwardSignals(attaching: Promise<AttachedProcess>): () => void {
  const whenAttached = (act: (attached: AttachedProcess) => void): void =>
    void attaching.then(act, () => {
      // The awaiting caller receives the start failure.
    });
  const forwards = FORWARDED.map((name) => ({
    name,
    forward: () => whenAttached((attached) => attached.signal(name)),
  }));
  // The kernel ignores SIGTSTP in a session without a terminal.
  const stop = (): void =>
    whenAttached((attached) => {
      attached.signal("SIGSTOP");
      process.kill(process.pid, "SIGSTOP");
    });
  for (const { name, forward } of forwards) process.on(name, forward);
  process.on("SIGTSTP", stop);
  return () => {
    for (const { name, forward } of forwards) process.off(name, forward);
    process.off("SIGTSTP", stop);
  };
}
