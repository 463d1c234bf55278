import type { JsonObject } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import type { AgentTool, ToolResult } from "@mdx-ai/loop";
import { wireNames } from "@mdx-ai/parser";
import type { Agent } from "@mdx-ai/runtime";
import { executeTool } from "@mdx-ai/tools";
import {
  type CallToolResult,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import type { AgentServerParts } from "./agent-parts.ts";
import { PROMPT } from "./prompt-tool.ts";

/** The agent's tools by the names that clients call; one with the name of the prompt tool is left out. */
function toolsByName({ permittedTools }: Agent): ReadonlyMap<string, AgentTool> {
  const names = wireNames(permittedTools.map(({ name }) => name));
  const named = permittedTools.map((tool) => [names.get(tool.name) ?? tool.name, tool] as const);
  return new Map(named.filter(([name]) => name !== PROMPT));
}

export const listTools = (agent: Agent): Tool[] =>
  [...toolsByName(agent)].map(([name, { description, parameters, readOnly = false, idempotent = false }]) => ({
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
  const tool = toolsByName(open.agent).get(name);
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(name)}`);
  }
  const result = await executeTool(tool, args, {
    ...{ agentDir: open.directory.path, cwd: open.folder, sessionId: "none", callId: "none", signal: mcpReq.signal },
    log: async (message) => onWarning(plainLine(message)),
    update: () => {},
  });
  return { content: contentOf(result), ...(result.isError === true && { isError: true }) };
}

const contentOf = ({ content }: ToolResult): CallToolResult["content"] =>
  content.map((block) =>
    block.type === "text"
      ? { type: "text", text: block.text }
      : { type: "image", data: block.data, mimeType: block.mimeType },
  );
