import { createRedactor, didYouMean } from "@mdx-ai/base";
import { COMPLETE, type CommandSpec, GLOBAL } from "./arguments/command-spec.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import type { LostErrors, ProgramContext } from "./command-context.ts";
import { agentCommand } from "./command-table/agent-command.ts";
import { EXIT_CODE, UsageError } from "./failures/program-error.ts";
import { Interruption } from "./interruption.ts";
import { Output } from "./output/output.ts";

/** Columns of the help if the terminal width is unknown. */
export const DEFAULT_WIDTH = 100;

/** Chooses and runs the command of a command line. Resolves to the exit code. */
type Dispatch = (args: readonly string[], context: ProgramContext) => Promise<number>;

/** Runs this process's command line. Resolves to the exit code once all output is written. Never rejects. */
export async function runProgram(args: readonly string[], run?: Dispatch): Promise<number> {
  const keys = createRedactor({ environment: process.env });
  const parts = {
    ...{ stdout: new Output(1), stderr: new Output(2, keys), keys },
    ...{ interruption: new Interruption(), lostErrors: newLostErrors(), environment: process.env },
  };
  const context = withCurrentDirectory(parts);
  const allowExit = watchEarlyExit();
  const failure = lostFailure(args, context);
  const exitCode = await Promise.race([runCommandLine(args, context, run), failure, context.interruption.insisted]);
  await context.stderr.flush();
  allowExit();
  return exitCode;
}

/** If the folder was removed, reading it throws: commands without a folder also work there. */
function withCurrentDirectory(parts: Omit<ProgramContext, "currentDirectory">): ProgramContext {
  try {
    return { ...parts, currentDirectory: process.cwd() };
  } catch (cause) {
    return {
      ...parts,
      get currentDirectory(): string {
        throw new UsageError("the current folder was removed; change to one that exists", { cause });
      },
    };
  }
}

/** Runs a command line and reports failures. Resolves to the exit code once standard output is written. Never rejects. */
export async function runCommandLine(
  args: readonly string[],
  context: ProgramContext,
  run: Dispatch = dispatch,
): Promise<number> {
  try {
    const exitCode = await run(args, context);
    await context.stdout.flush();
    return exitCode;
  } catch (error) {
    return reportFailure(error, args, context);
  }
}

async function reportFailure(
  error: unknown,
  args: readonly string[],
  { stderr, interruption }: ProgramContext,
): Promise<number> {
  const { describeFailure } = await import("./failures/describe-failure.ts");
  const { text, exitCode } = await describeFailure(error, args.includes("--debug"));
  stderr.write(text);
  return exitCode === EXIT_CODE.interrupted ? (interruption.exitCode ?? exitCode) : exitCode;
}

/** The errors that no code awaits, without claims. */
export function newLostErrors(): LostErrors {
  const claims = new Set<(error: unknown) => boolean>();
  const claimed = new WeakSet<object>();
  /** The folders of modules that were stopped. */
  const left = new Set<string>();
  const isLeft = (error: object): boolean =>
    left.size > 0 && error instanceof Error && [...left].some((folder) => error.stack?.includes(folder));
  return {
    watch: (claim, folders) => {
      claims.add(claim);
      return () => {
        claims.delete(claim);
        for (const folder of folders) left.add(folder);
      };
    },
    isClaimed: (error) => {
      if (typeof error !== "object" || error === null) return false;
      if (claimed.has(error)) return true;
      if (![...claims].some((claim) => claim(error)) && !isLeft(error)) return false;
      claimed.add(error);
      return true;
    },
  };
}

/** Resolves on a failure that nothing awaits and that is no module's. */
function lostFailure(args: readonly string[], context: ProgramContext): Promise<number> {
  return new Promise((resolve) => {
    const report = (error: unknown): void => {
      if (!context.lostErrors.isClaimed(error)) resolve(reportFailure(error, args, context));
    };
    process.on("uncaughtException", report);
    process.on("unhandledRejection", report);
  });
}

async function dispatch(args: readonly string[], context: ProgramContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === agentCommand.name) return runCommand(agentCommand, rest, context);
  if (GLOBAL.includes(name)) return runGlobalOption(args, context);
  if (name === COMPLETE) return runCompletion(rest, context);
  const { COMMANDS } = await import("./command-table/command-table.ts");
  const spec = COMMANDS.find((command) => command.name === name);
  if (spec !== undefined) return runCommand(spec, rest, context);
  if (!(await isAgentRun(name, context))) throw unknownCommand(name, COMMANDS);
  return runCommand(agentCommand, args, context);
}

async function runCompletion(words: readonly string[], context: ProgramContext): Promise<number> {
  const { completeWords } = await import("./completion/complete.ts");
  const { createContext } = await import("./create-context.ts");
  return completeWords(words, await createContext(context));
}

async function runCommand(spec: CommandSpec, args: readonly string[], context: ProgramContext): Promise<number> {
  const parsed = await parseArguments(spec, args);
  if (parsed.switches.has("help")) return showHelp(spec, context);
  const run = await spec.load();
  const { createContext } = await import("./create-context.ts");
  return run(parsed, await createContext(context, parsed));
}

/** Whether a command line without a command runs an agent: its first word is an option, a path, a source, or the name of an added agent. */
async function isAgentRun(first: string, context: ProgramContext): Promise<boolean> {
  if (/^[-.~/]|\//.test(first)) return true;
  const { existsSync } = await import("node:fs");
  const { resolve } = await import("node:path");
  if (existsSync(resolve(context.currentDirectory, first))) return true;
  const { isSourceWord } = await import("./arguments/run-options.ts");
  const { installedDirectory } = await import("@mdx-ai/directory/installed");
  return isSourceWord(first) || installedDirectory(first, context) !== undefined;
}

async function runGlobalOption([name, command]: readonly string[], context: ProgramContext): Promise<number> {
  if (name !== "--version" && name !== "-v") {
    const { COMMANDS } = await import("./command-table/command-table.ts");
    return showHelp(
      COMMANDS.find((spec) => spec.name === command),
      context,
    );
  }
  const { default: manifest } = await import("../package.json", { with: { type: "json" } });
  context.stdout.write(`${manifest.version}\n`);
  return EXIT_CODE.done;
}

/** Prints the help of a command, or of the program. */
export async function showHelp(spec: CommandSpec | undefined, context: ProgramContext): Promise<number> {
  const { commandHelp, programHelp } = await import("./command-table/help-text.ts");
  const { textWidth } = await import("./output/line-layout.ts");
  const width = textWidth(context.stdout, context.environment) ?? DEFAULT_WIDTH;
  context.stdout.write(spec === undefined ? programHelp(width) : commandHelp(spec, width));
  return EXIT_CODE.done;
}

function unknownCommand(name: string, commands: readonly CommandSpec[]): UsageError {
  const known = commands.map((spec) => spec.name);
  const hint = didYouMean(name, known, "see mdx-ai --help");
  return new UsageError(`unknown command ${JSON.stringify(name)}, and no directory has this name; ${hint}`);
}

/**
 * Until the returned function is called, treats an exit that the program did not request as a failure: a module that calls `process.exit()`
 * must not look like an agent that answered.
 */
function watchEarlyExit(): () => void {
  const report = (): void => {
    process.exitCode = EXIT_CODE.failed;
    process.getBuiltinModule("node:fs").writeSync(2, "mdx-ai: a module ended the program with process.exit()\n");
  };
  process.on("exit", report);
  return () => void process.off("exit", report);
}
