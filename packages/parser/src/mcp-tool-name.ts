/** The name by which an agent knows a tool of an MCP server; of all its tools, the beginning, if `tool` is empty. */
export const mcpToolName = (server: string, tool: string): string => `mcp.${server}.${tool}`;

/** Whether a name is that of a tool of an MCP server. */
export const isMcpToolName = (name: string): boolean => /^mcp\.[^.]+\../.test(name);
