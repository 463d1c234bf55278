import { parametersSchema, type ToolDefinition } from "@mdx-ai/parser";
import type { AgentTool } from "../types/tool.ts";
import { toolDescription } from "./tool-description.ts";
import type { ToolHost } from "./tool-host.ts";

/** A `<Tool>` of agent.mdx as a tool that a model may call; it runs in the tool host. */
export function inlineTool(definition: ToolDefinition, host: ToolHost): AgentTool {
  return {
    name: definition.name,
    description: toolDescription(definition),
    parameters: parametersSchema(definition),
    ...(definition.idempotent && { idempotent: true }),
    ...(definition.permission && { permission: definition.permission }),
    execute: (args, context) => host.call(definition, args, context),
  };
}
