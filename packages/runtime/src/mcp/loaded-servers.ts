import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import type { McpServer } from "./mcp-server.ts";

/** The MCP servers of an agent. Nothing starts before a server is needed. */
export interface LoadedServers {
  readonly all: readonly McpServer[];
  /** One for each server, in their order, with the tools whose names are accepted, each replaced by `change`. */
  sources(accepts: (name: string) => boolean, change: (tool: AgentTool) => AgentTool): readonly ToolSource[];
  /** Begins to connect the servers that their authors want from the start. Those of skills wait for a session that has the skill. */
  connectEager(): void;
  /** Ends those that none of the given agents has. Never rejects. */
  close(keptBy?: readonly LoadedServers[]): Promise<void>;
}

/** The servers of an agent without any. */
export const NO_SERVERS: LoadedServers = {
  all: [],
  sources: () => [],
  connectEager: () => {},
  close: async () => {},
};

const PREFIX = "/mcp:";

/** Whether a text is a prompt of an MCP server: `/mcp:SERVER:PROMPT arguments`. */
export const isMcpPrompt = (text: string): boolean => text.trimStart().startsWith(PREFIX);
