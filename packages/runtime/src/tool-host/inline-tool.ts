import { parametersSchema, type ToolDefinition, type ToolExample } from "@mdx-ai/parser";
import { headOf } from "../tools/tool-result.ts";
import type { AgentTool } from "../types/tool.ts";
import type { ToolHost } from "./tool-host.ts";

/** Characters that are shown of one limit of a tool. */
const LIMIT_LENGTH = 500;

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
 * The description of an inline tool for a model: the author's and below it, as JSON, one a line, the examples that its author
 * wants to show. The same at every start, so that the prefix of a prompt does not change.
 */
export function toolDescription({ description, examples }: Pick<ToolDefinition, "description" | "examples">): string {
  const shown = examples.filter(({ fewShot }) => fewShot).map(exampleLine);
  return shown.length === 0 ? description : `${description}\n\nExamples:\n${shown.join("\n")}`;
}

/** The limits that a tool declares, such as `network="none" and files="read:data/**"`; undefined without any. */
export function declaredLimits({ network, files }: Pick<ToolDefinition, "network" | "files">): string | undefined {
  const paths = files && [...files.read.map((path) => `read:${path}`), ...files.write.map((path) => `write:${path}`)];
  const limits = Object.entries({ network, files: paths }).flatMap(([name, allowed]) =>
    allowed ? [`${name}="${headOf(allowed.join(",") || "none", LIMIT_LENGTH)}"`] : [],
  );
  return limits.length === 0 ? undefined : limits.join(" and ");
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
