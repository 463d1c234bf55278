import type { McpConnection, McpProgress, McpTool } from "@mdx-ai/mcp";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { sha256, sortedJson } from "@mdx-ai/parser/fingerprint";
import { contentText } from "../content-text.ts";
import type { ForeignTool, ToolResult } from "../types/tool.ts";

/** The name by which an agent knows a tool of a server. */
const mcpToolName = (server: string, tool: string): string => `mcp.${server}.${tool}`;

/** Whether a name that a server gives its tool can be a part of a name and of patterns in `permissions`. */
export const isUsableName = (name: string): boolean => /^[\p{L}\p{N}_.:/@+-]{1,128}$/u.test(name);

/** Changes with everything that an approval of a tool's calls depends on. */
export function toolFingerprint(definition: McpServerDefinition, tool: McpTool): string {
  const { connect: _connect, tools: _tools, timeout: _timeout, ...server } = definition;
  return sha256(sortedJson([server, tool.name, tool.description, tool.inputSchema]));
}

/**
 * A tool of a server. Its description, its schema and its arguments are those of the server, unchanged. What it claims to be,
 * such as read-only, counts for nothing.
 */
export function mcpTool(server: string, tool: McpTool, connection: McpConnection): ForeignTool {
  return {
    name: mcpToolName(server, tool.name),
    description: tool.description,
    parameters: tool.inputSchema,
    checksArguments: true,
    execute: async (args, { signal, update }) => {
      const onProgress = (progress: McpProgress): void => update(progressText(progress));
      const result = await connection.call(tool.name, args, { signal, onProgress });
      return toolResult(result);
    },
  };
}

/** A result as a model receives it: its texts and images, else its structured content as a text. */
function toolResult({ content, isError, structuredContent }: Awaited<ReturnType<McpConnection["call"]>>): ToolResult {
  const isBare = content.every(({ type }) => type === "text") && contentText(content) === "";
  return {
    content:
      isBare && structuredContent !== undefined ? [{ type: "text", text: JSON.stringify(structuredContent) }] : content,
    ...(isError && { isError }),
    ...(structuredContent !== undefined && { details: { structuredContent } }),
  };
}

const progressText = ({ progress, total, message }: McpProgress): string => {
  const amount = total === undefined ? `${progress}` : `${progress}/${total}`;
  return message === undefined || message === "" ? amount : `${amount} ${message}`;
};
