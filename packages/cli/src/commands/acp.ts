import { type RunOptions, readTrusted, resolveModels, type SharedAgent, trustedManifest } from "@mdx-ai/directory";
import { plainLine } from "@mdx-ai/directory/text";
import { serveAcp } from "@mdx-ai/server/acp";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";
import { modelsReport, modelsText } from "../inspection/models-report.ts";
import { keepStandardOutput } from "../output/standard-output.ts";
import { agentName } from "../serving/agent-sources.ts";

/** `mdx-ai acp`: serves an agent to an editor until the editor closes standard input. Standard output carries the protocol alone. */
export async function runAcp(args: ParsedArguments, context: CommandContext): Promise<number> {
  const run = readRunOptions(args, context);
  const agent = (): Promise<string> => namedAgent(run, args, context);
  if (args.switches.has("setup")) return setUp(run, await agent(), context);
  const shared = await sharedAgent(args, context);
  const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
  const output = await keepStandardOutput();
  const signal = context.interruption.listen();
  const warn = (message: string): void => context.stderr.write(`mdx-ai: ${plainLine(message)}\n`);
  await serveAcp({
    ...{ run, agent, frontEnd: context, version: manifest.version, onWarning: warn },
    ...(shared && { shared }),
    signal: AbortSignal.any([signal, output.closed]),
    input: Bun.stdin.stream(),
    output: new WritableStream({
      // Each piece is a whole message.
      write: async (message) => {
        output.write(new TextDecoder().decode(message));
        await output.flush();
      },
    }),
  });
  return context.interruption.exitCode ?? EXIT_CODE.done;
}

/** The agent in the engine of `--engine`, whose workers run its prompts. Rejects with `UsageError` or `EngineError`. */
async function sharedAgent(args: ParsedArguments, context: CommandContext): Promise<SharedAgent | undefined> {
  const address = textOption(args, "engine", "an address such as restate://127.0.0.1:9070");
  if (address === undefined) return undefined;
  const [directory] = args.positionals;
  if (directory === undefined) throw new UsageError("--engine needs the agent's directory");
  const { connectEngine } = await import("@mdx-ai/engine");
  return connectEngine(address, agentName(directory, context), context.keys);
}

/** The agent of the command line, else the one that `mdx-ai` starts here. */
async function namedAgent({ directory, isTrusted }: RunOptions, args: ParsedArguments, context: CommandContext) {
  if (args.positionals.length > 0) return directory;
  const { unnamedAgent } = await import("../asking/unnamed-agent.ts");
  return unnamedAgent({ isTrusted, isPlain: false }, context);
}

/** Asks about trust, and checks that the model has what it needs. Rejects as `readTrusted` does, or with `ProgramError`. */
async function setUp(run: RunOptions, agent: string, context: CommandContext): Promise<number> {
  const signal = context.interruption.listen();
  const directory = await readTrusted({ ...run, directory: agent }, trustOptions(context, signal));
  if ((await trustedManifest(directory, context)) === undefined && !run.isTrusted) {
    const text = "an editor starts the agent anew each time: trust it from now on, not once";
    throw new ProgramError(text, EXIT_CODE.untrusted);
  }
  const resolved = await resolveModels(
    { ...run, flags: { ...run.flags, offline: false } },
    directory.definition.settings,
    context,
  );
  const report = modelsReport(resolved, context.environment);
  const isReady = report.models.some(({ missing }) => missing.length === 0);
  context.stdout.write(isReady ? "The agent is ready for the editor.\n" : modelsText(report, context.paint));
  return isReady ? EXIT_CODE.done : EXIT_CODE.failed;
}
