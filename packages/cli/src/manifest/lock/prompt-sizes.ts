import type { AgentDefinition, AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import type { CommandContext } from "../../command-context.ts";
import { type Inspection, inspect } from "../../inspection/inspection.ts";
import { readAgentRun } from "../../opening/agent-run.ts";
import { openRun } from "../../opening/open-run.ts";

export type PromptSizes = Inspection["sizes"];

/**
 * How much a model is told before the first word of a user, as `inspect` has it. No code of the directory runs: what its
 * modules and the code in its prose would add is not counted. Rejects as `openAgent` does.
 */
export async function promptSizes(directory: AgentDirectory, context: CommandContext): Promise<PromptSizes> {
  const { program: _program, ...rest } = directory.definition;
  // Nothing runs that a sandbox could hold.
  const settings: AgentSettings = { ...rest.settings, sandbox: "off" };
  const definition: AgentDefinition = { ...rest, modules: [], settings };
  const args = { positionals: [directory.path], values: new Map(), lists: new Map(), switches: new Set(["ephemeral"]) };
  const run = readAgentRun(args, context);
  const agent = await openRun(run, { ...directory, definition }, { context, wakes: false, isModelless: true });
  try {
    return (await inspect(agent, definition.tools)).sizes;
  } finally {
    await agent.close();
  }
}
