export { type McpServerOptions, serveMcp } from "./serve-mcp.ts";
export { type McpHttpOptions, type RunningMcpServer, serveMcpHttp } from "./serve-mcp-http.ts";
