import { isVisible, sha256, shortened, sortedJson, visibleText } from "@mdx-ai/base";
import { type AgentTool, contentText, type ForeignTool, type ToolResult } from "@mdx-ai/loop";
import type { McpConnection, McpProgress, McpTool } from "@mdx-ai/mcp";
import type { McpServerDefinition } from "@mdx-ai/parser";
import { mcpToolName } from "@mdx-ai/parser/mcp-tool-name";
import type { DeclaredServer, ServerCall } from "../types/mcp.ts";

/** The tools that a server lists, and those that the agent offers. */
export interface OfferedTools {
  readonly listed: readonly McpTool[];
  readonly tools: readonly McpTool[];
  /** In the same order. */
  readonly agentTools: readonly AgentTool[];
  /** The names, as visible text, of the tools that cannot be used because of them. */
  readonly leftOut: readonly string[];
}

export const NO_TOOLS: OfferedTools = { listed: [], tools: [], agentTools: [], leftOut: [] };

interface OfferingOptions {
  /** Receives a line about tools that cannot be used. */
  onLoss(text: string): void;
  /** Called when a call begins. Returns a function to call when it has ended. */
  onCall(call: ServerCall): () => void;
}

/** The listed tools that the server's declaration offers and whose names are valid. */
export function offeredTools(
  connection: McpConnection,
  { name: server, definition }: Pick<DeclaredServer, "name" | "definition">,
  { onLoss, onCall }: OfferingOptions,
): OfferedTools {
  const listed = connection.tools;
  const wanted = listed.filter(({ name }) => definition.tools?.includes(name) !== false);
  const tools = wanted.filter(({ name }) => isUsable(name));
  const leftOut = wanted.flatMap(({ name }) => (isUsable(name) ? [] : [visibleText(shortened(name, 100))]));
  if (leftOut.length > 0) onLoss(leftOutText(leftOut));
  const agentTool = (tool: McpTool): ForeignTool => ({
    ...mcpTool(server, tool, { connection, onCall }),
    fingerprint: toolFingerprint(definition, tool),
  });
  return { listed, tools, agentTools: tools.map(agentTool), leftOut };
}

/** How many tools a note names. */
const MAX_NAMED = 10;

function leftOutText(names: readonly string[]): string {
  const more = names.length > MAX_NAMED ? ", …" : "";
  return `lists ${names.length === 1 ? "a tool whose name" : `${names.length} tools whose names`} cannot be used: ${names.slice(0, MAX_NAMED).join(", ")}${more}`;
}

/**
 * Whether a name can be a part of a tool name and of patterns in `permissions`. Some letters are invisible, such as Hangul fillers: with
 * one, a name could pass for another.
 */
const isUsable = (name: string): boolean => /^[\p{L}\p{N}_.:/@+-]{1,128}$/u.test(name) && isVisible(name);

/** Changes with everything that an approval of a tool's calls depends on. */
function toolFingerprint(definition: McpServerDefinition, tool: McpTool): string {
  const { connect: _connect, connect_timeout: _limit, tools: _tools, timeout: _timeout, ...server } = definition;
  return sha256(sortedJson([server, tool.name, tool.description, tool.inputSchema]));
}

/**
 * A tool of a server. Description and schema are passed on unchanged. Its annotations,
 * such as read-only, are ignored.
 */
function mcpTool(
  server: string,
  tool: McpTool,
  { connection, onCall }: Pick<OfferingOptions, "onCall"> & { readonly connection: McpConnection },
): Omit<ForeignTool, "fingerprint"> {
  return {
    name: mcpToolName(server, tool.name),
    description: tool.description,
    parameters: tool.inputSchema,
    takesOtherNames: true,
    server,
    execute: async (args, { signal, sessionId, asking, update }) => {
      const onProgress = (progress: McpProgress): void => update(progressText(progress));
      const end = onCall({ session: sessionId, signal, asking });
      try {
        const result = await connection.call(tool.name, args, { signal, onProgress });
        return toolResult({ ...result, content: await fitted(result.content) });
      } finally {
        end();
      }
    },
  };
}

/** Content as providers accept it. The image scaler is loaded lazily. */
export async function fitted(content: ToolResult["content"]): Promise<ToolResult["content"]> {
  if (!content.some(({ type }) => type === "image")) return content;
  const { fittedContent } = await import("@mdx-ai/tools/fitted-image");
  return fittedContent(content);
}

/** A result for a model: its texts and images, else its structured content as text. */
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
