import { openRun, plainRun, type Surroundings } from "@mdx-ai/directory";
import type { AgentDefinition, AgentDirectory, AgentSettings } from "@mdx-ai/parser";
import { type Inspection, inspect } from "./inspection.ts";

export type PromptSizes = Inspection["sizes"];

/**
 * The size of what a model receives before the first user message, as `inspect` shows it. No code of the directory runs:
 * additions by modules and by code in its prose do not count. Rejects as `openAgent` does.
 */
export async function promptSizes(directory: AgentDirectory, surroundings: Surroundings): Promise<PromptSizes> {
  const { program: _program, ...rest } = directory.definition;
  // Nothing runs that would need a sandbox.
  const settings: AgentSettings = { ...rest.settings, sandbox: "off" };
  const definition: AgentDefinition = { ...rest, modules: [], settings };
  const run = { ...plainRun(directory.path, surroundings.currentDirectory), isEphemeral: true };
  const agent = await openRun(run, { ...directory, definition }, { surroundings, wakes: false, isModelless: true });
  try {
    return (await inspect(agent, definition.tools)).sizes;
  } finally {
    await agent.close();
  }
}
