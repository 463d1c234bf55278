import { toolHostCommand } from "@mdx-ai/runtime/program";
import type { CommandSpec } from "./arguments/command-spec.ts";
import { agentCommand, COMMANDS } from "./arguments/command-table.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import type { CommandContext } from "./command-context.ts";
import { describeFailure } from "./failures/describe-failure.ts";
import { watchEarlyExit } from "./failures/early-exit.ts";
import { EXIT_CODE, expectedExitCode } from "./failures/exit-code.ts";
import { UsageError } from "./failures/usage-error.ts";
import { Interruption } from "./interruption.ts";
import { KeyCover } from "./output/key-cover.ts";
import { Output } from "./output/output.ts";

/** What no command follows. */
const GLOBAL: readonly string[] = ["help", "-h", "--help", "-v", "--version"];

/** What the completions of a shell call. */
const COMPLETE = "complete";

/** Of the help, if nothing says how wide it may be. */
const DEFAULT_WIDTH = 100;

/** Runs a command line and gives the exit code when all output is written. Never rejects. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const keys = new KeyCover(process.env);
  const context: CommandContext = {
    environment: process.env,
    get currentDirectory() {
      return currentDirectory();
    },
    stdout: new Output(1),
    stderr: new Output(2, keys),
    keys,
    interruption: new Interruption(),
    toolHostCommand: toolHostCommand(),
  };
  const allowExit = watchEarlyExit();
  const exitCode = await Promise.race([
    runAndReport(args, context),
    lostFailure(args, context),
    context.interruption.insisted,
  ]);
  await context.stderr.flush();
  allowExit();
  return exitCode;
}

/** Asked only where it matters: what needs no folder works in one that was removed, too. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new UsageError("the current folder was removed; change to one that exists", { cause });
  }
}

async function runAndReport(args: readonly string[], context: CommandContext): Promise<number> {
  try {
    const exitCode = await dispatch(args, context);
    await context.stdout.flush();
    return exitCode;
  } catch (error) {
    return reportFailure(error, args, context);
  }
}

function reportFailure(error: unknown, args: readonly string[], { stderr, interruption }: CommandContext): number {
  stderr.write(describeFailure(error, args.includes("--debug")));
  const exitCode = expectedExitCode(error) ?? EXIT_CODE.failed;
  return exitCode === EXIT_CODE.interrupted ? (interruption.exitCode ?? exitCode) : exitCode;
}

/** Resolves when something fails that nobody waits for, such as a timer of a module. */
function lostFailure(args: readonly string[], context: CommandContext): Promise<number> {
  return new Promise((resolve) => {
    const report = (error: unknown): void => resolve(reportFailure(error, args, context));
    process.on("uncaughtException", report);
    process.on("unhandledRejection", report);
  });
}

async function dispatch(args: readonly string[], context: CommandContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined) {
    throw new UsageError("no command given; to run an agent: mdx-ai DIR (all commands: mdx-ai --help)");
  }
  if (GLOBAL.includes(name)) return runGlobalOption(args, context);
  if (name === COMPLETE) return (await import("./completions/complete-words.ts")).completeWords(rest, context);
  const spec = COMMANDS.find((command) => command.name === name);
  if (spec !== undefined) return runCommand(spec, rest, context);
  if (!(await isAgentRun(name))) throw await unknownCommand(name);
  return runCommand(agentCommand, args, context);
}

async function runCommand(spec: CommandSpec, args: readonly string[], context: CommandContext): Promise<number> {
  const parsed = await parseArguments(spec, args);
  if (parsed.switches.has("help")) return showHelp(spec, context);
  const run = await spec.load();
  return run(parsed, context);
}

/** Whether a command line without a command runs an agent: it begins with an option, or with a path. */
async function isAgentRun(first: string): Promise<boolean> {
  if (/^[-.~/]|\//.test(first)) return true;
  const { existsSync } = await import("node:fs");
  return existsSync(first);
}

async function runGlobalOption([name, command]: readonly string[], context: CommandContext): Promise<number> {
  if (name !== "--version" && name !== "-v") {
    return showHelp(
      COMMANDS.find((spec) => spec.name === command),
      context,
    );
  }
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  context.stdout.write(`${manifest.version}\n`);
  return EXIT_CODE.done;
}

async function showHelp(spec: CommandSpec | undefined, context: CommandContext): Promise<number> {
  const { commandHelp, programHelp } = await import("./arguments/help-text.ts");
  const { textWidth } = await import("./output/text-width.ts");
  const width = textWidth(context.stdout, context.environment) ?? DEFAULT_WIDTH;
  context.stdout.write(spec === undefined ? programHelp(width) : commandHelp(spec, width));
  return EXIT_CODE.done;
}

async function unknownCommand(name: string): Promise<UsageError> {
  const { didYouMean } = await import("./arguments/did-you-mean.ts");
  const known = COMMANDS.map((spec) => spec.name);
  const guess = await didYouMean(name, known);
  return new UsageError(
    `unknown command ${JSON.stringify(name)}, and no directory has this name; ${guess ?? "see mdx-ai --help"}`,
  );
}
