import type { AgentDefinition, AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import type { CommandContext } from "../../command-context.ts";
import { type Inspection, inspect } from "../../inspection/inspection.ts";
import { readAgentRun } from "../../opening/agent-run.ts";
import { openRun } from "../../opening/open-run.ts";

export type PromptSizes = Inspection["sizes"];

/**
 * The size of what a model receives before the first user message, as `inspect` shows it. No code of the directory runs:
 * additions by modules and by code in its prose do not count. Rejects as `openAgent` does.
 */
export async function promptSizes(directory: AgentDirectory, context: CommandContext): Promise<PromptSizes> {
  const { program: _program, ...rest } = directory.definition;
  // Nothing runs that would need a sandbox.
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
