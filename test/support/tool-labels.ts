import type { JsonObject } from "@mdx-ai/base";
import type { ToolLabel } from "@mdx-ai/loop";
import { allBuiltinToolNames } from "@mdx-ai/parser";
import { builtinTools } from "../../packages/tools/src/builtin-tools.ts";
import { toolRegistry } from "../../packages/tools/src/tool-registry.ts";

const tools = builtinTools({ environment: {} }, allBuiltinToolNames);
const registry = toolRegistry(tools, { agentDir: "/", cwd: "/", log: async () => {} });

/** A call of a builtin tool, or of another one, as `tool_execution_start` has it. */
export function labelled(
  toolName: string,
  args: JsonObject,
): { readonly toolName: string; readonly args: JsonObject; readonly label?: ToolLabel } {
  const wire = registry.planned.find(({ name }) => name === toolName)?.wire ?? toolName;
  const label = registry.labelOf({ type: "toolCall", id: "c1", name: wire, arguments: args });
  return { toolName, args, ...(label && { label }) };
}

/** The label of the builtin tool of this name. */
export const labelNamed = (name: string): ToolLabel | undefined => tools.find((tool) => tool.name === name)?.label;
