import { isAgentDirectory } from "@mdx-ai/base/disk";
import { readRunnable, resolveModels } from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import type { AgentSettings } from "@mdx-ai/parser";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { readModelChoice } from "../arguments/run-options.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { modelsReport, modelsText } from "../inspection/models-report.ts";

/** `mdx-ai models`: shows which model would be used and why. Makes no request and runs no code of the directory. */
export async function runModels(args: ParsedArguments, context: CommandContext): Promise<number> {
  const choice = readModelChoice(args);
  const settings = await settingsOf(args.positionals[0], context);
  const report = modelsReport(await resolveModels(choice, settings, context), context.environment);
  context.stdout.write(args.switches.has("json") ? `${jsonText(report, 2)}\n` : modelsText(report, context.paint));
  return EXIT_CODE.done;
}

/** The given directory, else the current folder if it contains an agent. */
async function settingsOf(directory: string | undefined, context: CommandContext): Promise<AgentSettings> {
  const isHere = directory === undefined && isAgentDirectory(context.currentDirectory);
  if (directory === undefined && !isHere) return {};
  return (await readRunnable(directory ?? ".", context)).definition.settings;
}
