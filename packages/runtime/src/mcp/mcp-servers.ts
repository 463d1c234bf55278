import type { DeclaredServer } from "../types/mcp.ts";
import type { ToolSource } from "../types/tool.ts";
import { McpServer, type McpServerParts } from "./mcp-server.ts";

/** The MCP servers of an agent. Nothing starts before a server is needed. */
export class McpServers {
  readonly all: readonly McpServer[];

  /** Servers of an earlier state of the agent whose declaration is the same stay as they are. */
  constructor(declared: readonly DeclaredServer[], parts: McpServerParts, before?: McpServers) {
    this.all = declared.map(
      (server) =>
        before?.all.find((earlier) => Bun.deepEquals(earlier.declared, server)) ?? new McpServer(server, parts),
    );
  }

  /** One for each server, in their order, with the tools whose names are accepted. */
  sources(accepts: (name: string) => boolean): readonly ToolSource[] {
    return this.all.map((server) => server.source(accepts));
  }

  /** The name of the server that has a tool, by the tool's name for the agent. */
  serverOf(toolName: string): string | undefined {
    return this.#owner(toolName)?.name;
  }

  /** Identifies the definition of a tool; undefined for other tools. */
  fingerprint(toolName: string): string | undefined {
    return this.#owner(toolName)?.fingerprint(toolName);
  }

  /** Begins to connect the servers that their authors want from the start. Those of skills wait for a session that has the skill. */
  connectEager(): void {
    for (const server of this.all) {
      if (server.definition.connect === "eager" && server.declared.skill === undefined) server.begin();
    }
  }

  /** Ends those that none of the given agents has. Never rejects. */
  async close(keptBy: readonly McpServers[] = []): Promise<void> {
    const kept = new Set(keptBy.flatMap(({ all }) => all));
    await Promise.all(this.all.filter((server) => !kept.has(server)).map((server) => server.close()));
  }

  #owner(toolName: string): McpServer | undefined {
    return this.all.find(({ agentTools }) => agentTools.some(({ name }) => name === toolName));
  }
}
