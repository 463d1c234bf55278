import type { ToolCall } from "@mdx-ai/models";
import { wireNames } from "@mdx-ai/parser";
import { executeTool } from "../tools/execute-tool.ts";
import { argumentsRefusal } from "../tools/validate-arguments.ts";
import type { AgentTool, ToolContext } from "../types/tool.ts";
import type { ToolOutcome, ToolRegistry } from "../types/tool-registry.ts";

/** What a tool call gets beside its signal. */
export type ToolSurroundings = Omit<ToolContext, "signal">;

/** The registry over tools whose names differ; their order is the order in which a model sees them. */
export function toolRegistry(tools: readonly AgentTool[], surroundings: ToolSurroundings): ToolRegistry {
  const wire = wireNames(tools.map((tool) => tool.name));
  const wireName = (tool: AgentTool): string => wire.get(tool.name) ?? tool.name;
  const byWireName = new Map(tools.map((tool) => [wireName(tool), tool]));

  const refusal = (call: ToolCall): string | undefined => {
    const tool = byWireName.get(call.name);
    if (!tool) return `there is no tool ${call.name}; there are: ${[...byWireName.keys()].join(", ")}`;
    if (call.malformed !== undefined) return `the arguments are not a JSON object: ${call.malformed.slice(0, 200)}`;
    return argumentsRefusal(tool.parameters, call.arguments);
  };

  const run = async (call: ToolCall, signal: AbortSignal): Promise<ToolOutcome> => {
    const tool = byWireName.get(call.name);
    if (!tool) throw new Error(`the call of ${call.name} was to be refused`);
    return executeTool(tool, call.arguments, { ...surroundings, signal });
  };

  return {
    schemas: tools.map((tool) => ({
      name: wireName(tool),
      description: tool.description,
      parameters: tool.parameters,
    })),
    nameOf: (name) => byWireName.get(name)?.name ?? name,
    refusal,
    run,
  };
}
