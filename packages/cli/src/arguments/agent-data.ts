import { existsSync } from "node:fs";
import { agentFolder, dataDirectory, isAgentFile } from "@mdx-ai/directory";
import { sourceLayout } from "@mdx-ai/runtime/layout";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";
import { dataOption } from "./agent-run.ts";
import type { ParsedArguments } from "./command-spec.ts";

/** The folder with the sessions, state and logs of the agent that a command line names. Throws `UsageError`, or as `dataDirectory` does. */
export function agentData(
  directory: string,
  { args, isWriting }: { readonly args: ParsedArguments; readonly isWriting: boolean },
  context: CommandContext,
): string {
  const agentDir = agentFolder(directory, context);
  if (!isAgentFile(directory, context) && !existsSync(sourceLayout(agentDir).definition)) {
    throw new UsageError(`${agentDir} is not an agent directory: it has no agent.mdx`);
  }
  return dataDirectory({ agentDir, data: dataOption(args, context), isWriting }, context);
}
