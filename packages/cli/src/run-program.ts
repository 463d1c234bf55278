import type { CommandSpec } from "./arguments/command-spec.ts";
import { COMMANDS } from "./arguments/command-table.ts";
import { parseArguments } from "./arguments/parse-arguments.ts";
import type { ProgramContext } from "./command-context.ts";
import { EXIT_CODE, UsageError } from "./failures/program-error.ts";
import { Interruption } from "./interruption.ts";
import { KeyCover } from "./output/key-cover.ts";
import { Output } from "./output/output.ts";

/** Runs a command line and gives the exit code when all output is written. Never rejects. */
export async function runProgram(args: readonly string[]): Promise<number> {
  const keys = new KeyCover(process.env);
  const context: ProgramContext = {
    stdout: new Output(1),
    stderr: new Output(2, keys),
    keys,
    interruption: new Interruption(),
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

async function runAndReport(args: readonly string[], context: ProgramContext): Promise<number> {
  try {
    const exitCode = await dispatch(args, context);
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

/** Resolves when something fails that nobody waits for, such as a timer of a module. */
function lostFailure(args: readonly string[], context: ProgramContext): Promise<number> {
  return new Promise((resolve) => {
    const report = (error: unknown): void => resolve(reportFailure(error, args, context));
    process.on("uncaughtException", report);
    process.on("unhandledRejection", report);
  });
}

async function dispatch(args: readonly string[], context: ProgramContext): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === "help" || name.startsWith("-")) return runGlobalOption(args, context);
  const spec = COMMANDS.find((command) => command.name === name);
  if (spec === undefined) throw await unknownCommand(name);
  const parsed = await parseArguments(spec, rest);
  if (parsed.switches.has("help")) return showHelp(spec, context);
  const run = await spec.load();
  const { createContext } = await import("./create-context.ts");
  return run(parsed, createContext(context));
}

async function runGlobalOption(args: readonly string[], context: ProgramContext): Promise<number> {
  const [name, command] = args;
  switch (name) {
    case "--version":
    case "-v": {
      const { default: manifest } = await import("../package.json", { with: { type: "json" } });
      context.stdout.write(`${manifest.version}\n`);
      return EXIT_CODE.done;
    }
    case "--help":
    case "-h":
    case "help":
      return showHelp(
        COMMANDS.find((spec) => spec.name === command),
        context,
      );
    case undefined:
      throw new UsageError("no command given; to run an agent: mdx-ai agent DIR (all commands: mdx-ai --help)");
    default:
      throw new UsageError(`unexpected ${name} before a command; see mdx-ai --help`);
  }
}

async function showHelp(spec: CommandSpec | undefined, context: ProgramContext): Promise<number> {
  const { commandHelp, programHelp } = await import("./arguments/help-text.ts");
  context.stdout.write(spec === undefined ? programHelp() : commandHelp(spec));
  return EXIT_CODE.done;
}

async function unknownCommand(name: string): Promise<UsageError> {
  const { didYouMean } = await import("@mdx-ai/directory/text");
  const { existsSync } = await import("node:fs");
  const known = COMMANDS.map((spec) => spec.name);
  const guess = existsSync(name) ? `to run a directory: mdx-ai agent ${name}` : await didYouMean(name, known);
  return new UsageError(`unknown command ${JSON.stringify(name)}; ${guess ?? "see mdx-ai --help"}`);
}

/**
 * From now on, until the returned function is called, an end of the process that the program did not ask for is reported and
 * counts as a failure: a module that calls `process.exit()` must not look like an agent that answered.
 */
function watchEarlyExit(): () => void {
  const tell = (): void => {
    process.exitCode = EXIT_CODE.failed;
    process.getBuiltinModule("node:fs").writeSync(2, "mdx-ai: a module ended the program with process.exit()\n");
  };
  process.on("exit", tell);
  return () => void process.off("exit", tell);
}
