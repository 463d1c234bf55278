import { counted } from "@mdx-ai/directory/views/figures";
import type { SkillDefinition } from "@mdx-ai/parser";

/** What a skill provides, in a few words: knowledge, its tools, or an MCP server. */
export function skillKind({ tools, mcpServer, alwaysInject }: SkillDefinition): string {
  const parts = [
    ...(tools === undefined ? [] : [counted(tools.length, "tool")]),
    ...(mcpServer === undefined ? [] : ["MCP server"]),
    ...(alwaysInject === true ? ["instructions"] : []),
  ];
  return parts.length === 0 ? "knowledge" : parts.join(", ");
}
