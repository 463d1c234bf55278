import { openForTools, prepareRun, readManifest, readRunnable, trustedManifest, warn } from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import type { AgentDefinition, AgentDirectory } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readRunOptions } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { inspect, inspectionText } from "../inspection/inspection.ts";

/**
 * `mdx-ai inspect`: shows what a model would receive. Works before a directory is trusted; it then omits the parts that need the
 * directory's code.
 */
export async function runInspect(args: ParsedArguments, context: CommandContext): Promise<number> {
  const options = { ...readRunOptions(args, context), isEphemeral: true };
  const read = await readRunnable(options.directory, context);
  const manifest = options.isTrusted ? await readManifest(read) : await trustedManifest(read, context);
  const directory = manifest === undefined ? withoutCode(read, context) : { ...read, manifest };
  const run = await prepareRun(options, directory, context);
  const { agent, close } = await openForTools(run, context, { showsMemory: true });
  try {
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

function withoutCode(directory: AgentDirectory, context: CommandContext): AgentDirectory {
  const { program, modules, ...rest } = directory.definition;
  const missing = [...modules, ...(program === undefined ? [] : ["the code in the prose of agent.mdx"])];
  if (missing.length === 0) return directory;
  warn(context)(`not trusted, so these did not run and are not shown: ${missing.join(", ")}; see --trust`);
  const definition: AgentDefinition = { ...rest, modules: [] };
  return { ...directory, definition };
}
