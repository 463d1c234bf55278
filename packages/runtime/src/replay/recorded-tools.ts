import type { ToolCall } from "@mdx-ai/models";
import { type AgentDirectory, isReplaceable, offeredBuiltins, parametersSchema } from "@mdx-ai/parser";
import { toolRegistry } from "../agent/tool-registry.ts";
import { ReplayError } from "../hosts/replay-error.ts";
import { toolDescription } from "../tool-host/inline-tool.ts";
import { builtinTools } from "../tools/builtin-tools.ts";
import type { AgentTool } from "../types/tool.ts";
import type { ToolRegistry } from "../types/tool-registry.ts";

/** Whether an agent has tools, or sections of its prompt, that only its own code knows. */
export const hasModules = ({ definition }: AgentDirectory): boolean =>
  definition.modules.length > 0 || typeof definition.settings.memory === "object";

/** The builtin and the inline tools of an agent, as a model sees them, in a workspace or not. None of them can be run. */
export function definedTools({ definition }: AgentDirectory, hasWorkspace: boolean): readonly AgentTool[] {
  const { settings } = definition;
  const offered = definition.tools.filter(({ name }) => settings.tools?.includes(name) !== false);
  const replaced = new Set(offered.map(({ name }) => name).filter(isReplaceable));
  const builtins = offeredBuiltins(settings, hasWorkspace).filter((name) => !replaced.has(name));
  const inline = offered.map((tool) => ({
    name: tool.name,
    description: toolDescription(tool),
    parameters: parametersSchema(tool),
  }));
  return [...builtinTools({ environment: {} }, builtins), ...inline].map((tool) => ({
    ...tool,
    execute: neverRun,
  }));
}

async function neverRun(): Promise<never> {
  throw new ReplayError("a replay tried to run a tool");
}

/** A registry that knows names and runs nothing. A tool that it does not know may belong to a module. */
export function knownTools(directory: AgentDirectory, tools: readonly AgentTool[]): ToolRegistry {
  const log = async (): Promise<void> => {};
  const registry = toolRegistry(tools, { agentDir: directory.path, cwd: directory.path, log });
  const names = new Set(registry.schemas.map(({ name }) => name));
  const isForeign = (call: ToolCall): boolean => hasModules(directory) && !names.has(call.name);
  return { ...registry, refusal: (call) => (isForeign(call) ? undefined : registry.refusal(call)) };
}
