import type { SkillDefinition } from "@mdx-ai/parser";
import { counted } from "./figures.ts";

/** What a skill brings, in a few words: knowledge, tools of its own, or those of an MCP server. */
export function skillKind({ tools, mcpServer, alwaysInject }: SkillDefinition): string {
  const parts = [
    ...(tools === undefined ? [] : [counted(tools.length, "tool")]),
    ...(mcpServer === undefined ? [] : ["MCP server"]),
    ...(alwaysInject === true ? ["instructions"] : []),
  ];
  return parts.length === 0 ? "knowledge" : parts.join(", ");
}
