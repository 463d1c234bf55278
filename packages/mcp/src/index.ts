export type {
  McpAnswer,
  McpCallOptions,
  McpCallResult,
  McpConnection,
  McpConnectionOptions,
  McpLimits,
  McpProgress,
  McpPrompt,
  McpQuestion,
  McpResource,
  McpSignIn,
  McpState,
  McpTool,
} from "./mcp-connection.ts";
export { McpError } from "./mcp-error.ts";
export { openMcpConnection } from "./open-mcp-connection.ts";
