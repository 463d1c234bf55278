import { abortOf, within } from "@mdx-ai/base";
import { agentFolder } from "@mdx-ai/directory";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { isSourceWord, readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, SIGNAL_EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { openRunning, type RunningAgent } from "../heartbeat/running-agent.ts";
import { WAITING, whenFilesAreFree } from "../serving/file-shortage.ts";
import type { HttpServer } from "../serving/http-server.ts";

/** How long agents may take to close, in milliseconds; a service manager kills soon afterwards. */
const MAX_CLOSING = 9_500;

/** How much of that their running steps have. */
const MAX_STEP = 7_000;

/**
 * `mdx-ai run`: keeps agents open, so that their heartbeats wake them, until SIGTERM or SIGINT. SIGHUP loads changed files. With `--serve`,
 * the same agents are offered over HTTP. The exit code is 0 after SIGTERM, and 1 if an agent could not be opened. An agent from a source is
 * fetched first, and nothing of it is kept.
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
  const agents = new Map<string, RunningAgent>();
  const signal = context.interruption.listen(() => {
    for (const agent of agents.values()) void agent.reload();
  });
  const server = await serverOf(args, agents, context, signal);
  try {
    const failed = await openAll(args, agents, context, signal);
    if (agents.size === 0 && failed > 0) return EXIT_CODE.failed;
    await Promise.race([server?.open(), stopped(signal)]);
    await stopped(signal);
    const { exitCode } = context.interruption;
    if (exitCode !== undefined && exitCode !== SIGNAL_EXIT_CODE.SIGTERM) return exitCode;
    return failed > 0 ? EXIT_CODE.failed : EXIT_CODE.done;
  } finally {
    const closing = Promise.all([
      server?.stop(),
      ...agents.values().map((agent) => agent.close({ patience: MAX_STEP })),
    ]);
    await within(closing, MAX_CLOSING);
  }
}

/** Opens the agents of the command line. Returns how many cannot be opened, which is an error if there is no other. */
async function openAll(
  args: ParsedArguments,
  agents: Map<string, RunningAgent>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<number> {
  let failed = 0;
  for (const directory of distinct(args.positionals, context)) {
    const run = readRunOptions({ ...args, positionals: [directory] }, context);
    try {
      const open = () => openRunning({ answersWithin: DEFAULT_ANSWER, ...run }, context, signal);
      const onWait = (): void => void context.stderr.write(`mdx-ai: ${directory}: ${WAITING}\n`);
      agents.set(directory, await whenFilesAreFree(open, { signal, onWait }));
    } catch (error) {
      if (args.positionals.length === 1) throw error;
      failed += 1;
      const { describeFailure } = await import("../failures/describe-failure.ts");
      context.stderr.write((await describeFailure(error, false)).text);
    }
  }
  return failed;
}

/** Options that need `--serve`. */
const OF_SERVER = ["host", "port", "token", "open", "users", "user-header", "allow-host", "cors"];

/**
 * Listens at once, so that a port in use is an error before anything runs; the agents are open when the server is. Undefined without
 * `--serve`.
 */
async function serverOf(
  args: ParsedArguments,
  agents: ReadonlyMap<string, RunningAgent>,
  context: CommandContext,
  signal: AbortSignal,
): Promise<HttpServer | undefined> {
  if (!args.switches.has("serve")) {
    const other = OF_SERVER.find((name) => [args.values, args.lists, args.switches].some((given) => given.has(name)));
    if (other !== undefined) throw new UsageError(`--${other} needs --serve`);
    return undefined;
  }
  const { startServer } = await import("../serving/http-server.ts");
  const { agentSources } = await import("../serving/agent-sources.ts");
  const sources = async () => {
    const open = new Map([...agents].map(([directory, { open: one }]) => [directory, one]));
    return agentSources([...agents.keys()], readRunOptions(args, context), context, { signal, open });
  };
  return startServer(args, sources, context);
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
