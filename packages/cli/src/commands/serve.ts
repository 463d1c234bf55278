import { abortOf } from "@mdx-ai/base";
import type { Engine } from "@mdx-ai/engine";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import type { DirectorySource } from "../serving/agent-sources.ts";
import { engineOptions } from "../serving/engine-options.ts";
import { startServer } from "../serving/http-server.ts";

/** `mdx-ai serve`: offers agents over HTTP until it is interrupted. It listens before the code of agents is loaded. */
export async function runServe(args: ParsedArguments, context: CommandContext): Promise<number> {
  const signal = context.interruption.listen();
  const onEngine = engineOptions(args);
  let worker: Pick<Engine, "stop"> | undefined;
  const open = async (): Promise<readonly DirectorySource[]> => {
    const found = await sourcesOf(args, context, signal);
    if (onEngine === undefined) return found;
    const { startEngine } = await import("../serving/start-engine.ts");
    const { agents: hosted, ...engine } = await startEngine(onEngine, found, args.positionals, context);
    worker = engine;
    return found.map((source, index) => ({ ...source, open: (user) => (hosted[index] ?? source).open(user) }));
  };
  let sources: Promise<readonly DirectorySource[]> | undefined;
  const agents = (): Promise<readonly DirectorySource[]> => {
    sources ??= open().catch((error: unknown) => {
      // The next request tries again.
      sources = undefined;
      throw error;
    });
    return sources;
  };
  const server = await startServer(args, agents, context);
  try {
    await Promise.race([server.open(), abortOf(signal)]);
    await abortOf(signal);
  } finally {
    await server.stop();
    await worker?.stop();
  }
  return EXIT_CODE.done;
}

/** The agents of the command line, with its options for all of them. Sessions are chosen by requests. Rejects with `UsageError`. */
async function sourcesOf(
  args: ParsedArguments,
  context: CommandContext,
  signal: AbortSignal,
): Promise<readonly DirectorySource[]> {
  const { readRunOptions } = await import("../arguments/run-options.ts");
  const { agentSources } = await import("../serving/agent-sources.ts");
  const run = { ...readRunOptions(args, context), wakes: engineOptions(args) === undefined };
  return agentSources(args.positionals, run, context, { signal });
}
