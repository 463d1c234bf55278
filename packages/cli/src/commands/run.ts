import { abortOf } from "@mdx-ai/base";
import { agentFolder } from "@mdx-ai/directory";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { isSourceWord, readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, SIGNAL_EXIT_CODE } from "../failures/program-error.ts";
import { openRunning, type RunningAgent } from "../heartbeat/running-agent.ts";

/** How long agents may take to close, in milliseconds; a service manager kills soon afterwards. */
const MAX_CLOSING = 9_000;

/**
 * `mdx-ai run`: keeps agents open, so that their heartbeats wake them, until SIGTERM or SIGINT. SIGHUP loads changed files. The exit code
 * is 0 after SIGTERM, and 1 if an agent could not be opened. An agent from a source is fetched first, and nothing of it is kept.
 */
export async function runRun(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [word, ...others] = args.positionals;
  if (word === undefined || others.length > 0 || !isSourceWord(word)) return runDirectories(args, context);
  const { isFetched, withFetched } = await import("../installing/run-once.ts");
  if (!isFetched(word, context)) return runDirectories(args, context);
  return withFetched(word, args, context, (directory) => {
    const switches = new Set([...args.switches, "trust"]);
    return runDirectories({ ...args, positionals: [directory], switches }, context);
  });
}

async function runDirectories(args: ParsedArguments, context: CommandContext): Promise<number> {
  const agents: RunningAgent[] = [];
  const signal = context.interruption.listen(() => {
    for (const agent of agents) void agent.reload();
  });
  const failures: unknown[] = [];
  for (const directory of distinct(args.positionals, context)) {
    const run = readRunOptions({ ...args, positionals: [directory] }, context);
    try {
      agents.push(await openRunning({ answersWithin: DEFAULT_ANSWER, ...run }, context, signal));
    } catch (error) {
      if (args.positionals.length === 1) throw error;
      failures.push(error);
      const { describeFailure } = await import("../failures/describe-failure.ts");
      context.stderr.write((await describeFailure(error, false)).text);
    }
  }
  if (agents.length === 0 && failures.length > 0) return EXIT_CODE.failed;
  await stopped(signal);
  const closing = Promise.all(agents.map((agent) => agent.close()));
  await Promise.race([closing, Bun.sleep(MAX_CLOSING)]);
  const { exitCode } = context.interruption;
  if (exitCode !== undefined && exitCode !== SIGNAL_EXIT_CODE.SIGTERM) return exitCode;
  return failures.length > 0 ? EXIT_CODE.failed : EXIT_CODE.done;
}

/** Seconds that a question waits for an answer. */
const DEFAULT_ANSWER = 3_600;

/** Each agent once, whatever its paths are. */
function distinct(directories: readonly string[], context: CommandContext): readonly string[] {
  return [...new Map(directories.map((directory) => [agentFolder(directory, context), directory])).values()];
}

/** Resolves once the signal fires. Keeps the process alive until then. */
async function stopped(signal: AbortSignal): Promise<void> {
  const alive = setInterval(() => {}, 60_000);
  await abortOf(signal);
  clearInterval(alive);
}
