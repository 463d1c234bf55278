import { parametersSchema, type ToolDefinition, type ToolExample } from "@mdx-ai/parser";
import type { AgentTool } from "../types/tool.ts";
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

/**
 * What a model reads of an inline tool: its description and below it, as JSON, one a line, the examples that its author
 * wants shown. The same at every start, so that the prefix of a prompt does not change.
 */
export function toolDescription({ description, examples }: Pick<ToolDefinition, "description" | "examples">): string {
  const shown = examples.filter(({ fewShot }) => fewShot).map(exampleLine);
  return shown.length === 0 ? description : `${description}\n\nExamples:\n${shown.join("\n")}`;
}

/** In the words in which the author wrote it. */
function exampleLine({ arguments: args, expected }: ToolExample): string {
  switch (expected.type) {
    case "success":
      return JSON.stringify({ arguments: args });
    case "result":
      return JSON.stringify({ arguments: args, result: expected.value });
    case "contains":
      return JSON.stringify({ arguments: args, contains: expected.text });
    case "error":
      return JSON.stringify({ arguments: args, error: expected.text });
    default:
      return expected satisfies never;
  }
}
