import type { AgentTool, ToolSource } from "@mdx-ai/loop";
import type { DeclaredServer } from "../types/mcp.ts";
import { McpServer, type McpServerParts } from "./mcp-server.ts";

interface EarlierServers {
  readonly all: readonly McpServer[];
}

/** The `LoadedServers` of an agent with MCP servers. */
export class McpServers {
  readonly all: readonly McpServer[];

  /** The servers of an earlier reading. Those with an unchanged declaration are kept. */
  constructor(declared: readonly DeclaredServer[], parts: McpServerParts, before?: EarlierServers) {
    this.all = declared.map(
      (server) =>
        before?.all.find((earlier) => Bun.deepEquals(earlier.declared, server)) ?? new McpServer(server, parts),
    );
  }

  sources(accepts: (name: string) => boolean, change: (tool: AgentTool) => AgentTool): readonly ToolSource[] {
    return this.all.map((server) => server.source(accepts, change));
  }

  connectEager(): void {
    for (const server of this.all) {
      if (server.definition.connect === "eager" && server.declared.skill === undefined) server.begin();
    }
  }

  async close(keptBy: readonly EarlierServers[] = []): Promise<void> {
    const kept = new Set(keptBy.flatMap(({ all }) => all));
    await Promise.all(this.all.filter((server) => !kept.has(server)).map((server) => server.close()));
  }
}
