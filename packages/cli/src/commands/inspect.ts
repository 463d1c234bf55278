import {
  openForTools,
  prepareRun,
  type ReadDirectory,
  type RunOptions,
  readManifest,
  readRunnable,
  readTrusted,
  trustedManifest,
  warn,
} from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import type { AgentDefinition, AgentDirectory } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import { trustOptions } from "../asking/command-questions.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { inspect, inspectionText } from "../inspection/inspection.ts";
import { enabledServers } from "../mcp/enabled-servers.ts";

/**
 * `mdx-ai inspect`: shows what a model would receive. Works before a directory is trusted; it then omits the parts that need the
 * directory's code.
 */
export async function runInspect(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = { ...readRunOptions(args, context), isEphemeral: true };
  const isConnecting = args.switches.has("connect");
  const signal = context.interruption.listen();
  const directory = isConnecting
    ? await readTrusted(options, trustOptions(context, signal))
    : await readUntrusted(options, context);
  const run = await prepareRun(options, directory, context);
  const { agent, close } = await openForTools(run, context, { showsMemory: true });
  try {
    if (isConnecting) await connectServers(agent, signal);
    const inspection = await inspect(agent, { definition: directory.definition, now: Date.now() });
    const text = args.switches.has("json")
      ? jsonText(inspection, 2)
      : inspectionText(inspection, context.paint).trimEnd();
    context.stdout.write(`${text}\n`);
    return EXIT_CODE.done;
  } finally {
    await close();
  }
}

/** Reads a directory without a question about trust. */
async function readUntrusted(options: RunOptions, context: CommandContext): Promise<ReadDirectory> {
  const read = await readRunnable(options.directory, context);
  const manifest = options.isTrusted ? await readManifest(read) : await trustedManifest(read, context);
  return manifest === undefined ? withoutCode(read, context) : { ...read, manifest };
}

/** Connects to the servers that a new session has, so that their tools are shown. Warns of each that is not available. */
async function connectServers(agent: Agent, signal: AbortSignal): Promise<void> {
  const isEnabled = await enabledServers(agent);
  await Promise.all(agent.servers.filter(isEnabled).map((server) => server.connect(signal)));
}

function withoutCode(directory: AgentDirectory, context: CommandContext): AgentDirectory {
  const { program, modules, ...rest } = directory.definition;
  const missing = [...modules, ...(program === undefined ? [] : ["the code in the prose of agent.mdx"])];
  if (missing.length === 0) return directory;
  warn(context)(`not trusted, so these did not run and are not shown: ${missing.join(", ")}; see --trust`);
  const definition: AgentDefinition = { ...rest, modules: [] };
  return { ...directory, definition };
}
