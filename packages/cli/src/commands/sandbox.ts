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
 * `mdx-ai sandbox`: shows what the shell and the tools of an agent can read, write and reach, or runs a command of the user's
 * where the shell runs, and returns its exit code. Runs nothing of the directory, so that it needs no trust.
 */
export async function runSandbox(args: ParsedArguments, context: CommandContext): Promise<number> {
  const { command } = args;
  const given = { ...readRunOptions(args, context), isEphemeral: true };
  checkCommand(args);
  const directory = await readRunnable(given.directory, context);
  // Without a sandbox a command runs only with an explicit flag.
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

/** Protects what a trusted run protects, although nothing of it runs. */
async function openWithoutCode(
  options: RunOptions,
  read: AgentDirectory,
  context: CommandContext,
): Promise<OpenDirectory> {
  const manifest = await readManifest(read);
  const { program: _program, ...definition } = read.definition;
  const directory = { ...read, definition: { ...definition, modules: [] }, manifest };
  const run = await prepareRun(options, directory, context);
  // An ephemeral run keeps no answers; here those of earlier runs count.
  const approvalsDirectory = approvalsFolder(read.path, context);
  const settings = { ...run.settings, ...(approvalsDirectory !== undefined && { approvalsDirectory }) };
  return openForTools({ ...run, settings }, context);
}

interface Shown {
  readonly agent: Agent;
  /** With its modules. */
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

/** The signals that this process passes on to the command. */
const FORWARDED = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGWINCH", "SIGCONT"] as const;

/**
 * Runs a command where the shell of an agent runs, and returns its exit code. The command is in a session of its own, so that it
 * cannot type into the terminal; signals, such as those of Ctrl+C and Ctrl+Z, are passed on to it.
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

/** Passes on what comes while the command starts, too, as soon as there is a command. */
function forwardSignals(attaching: Promise<AttachedProcess>): () => void {
  const whenAttached = (act: (attached: AttachedProcess) => void): void =>
    void attaching.then(act, () => {
      // Whoever awaits the command learns that it failed to start.
    });
  const forwards = FORWARDED.map((name) => ({
    name,
    forward: () => whenAttached((attached) => attached.signal(name)),
  }));
  // The kernel ignores SIGTSTP in a session that has no terminal.
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
