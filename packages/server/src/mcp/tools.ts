import type { JsonObject } from "@mdx-ai/base";
import type { OpenDirectory } from "@mdx-ai/directory";
import type { AgentTool, ToolResult } from "@mdx-ai/loop";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { runTool, toolsByName } from "../agents/run-tool.ts";
import type { AgentServerParts } from "./agent-parts.ts";
import { PROMPT } from "./prompt-tool.ts";

/** One with the name of the prompt tool is left out. */
const offered = (open: OpenDirectory): readonly (readonly [name: string, tool: AgentTool])[] =>
  [...toolsByName(open)].filter(([name]) => name !== PROMPT);

export const listTools = (open: OpenDirectory): Tool[] =>
  offered(open).map(([name, { description, parameters, readOnly = false, idempotent = false }]) => ({
    ...{ name, description },
    inputSchema: { ...parameters, type: "object" },
    annotations: { readOnlyHint: readOnly, idempotentHint: readOnly || idempotent },
  }));

/** Runs a tool of the agent without a model. A call that the user would have to allow is an error. Rejects with `ProtocolError` if there is no such tool. */
export async function callTool(
  name: string,
  args: JsonObject,
  { open, onWarning }: AgentServerParts,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const [, tool] = offered(open).find(([one]) => one === name) ?? [];
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)}`);
  }
  const result = await runTool(open, tool, args, { signal: mcpReq.signal, onWarning });
  return { content: contentOf(result), ...(result.isError === true && { isError: true }) };
}

const contentOf = ({ content }: ToolResult): CallToolResult["content"] =>
  content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image", data: block.data, mimeType: block.mimeType },
  );
