export type {
  McpAnswer,
  McpCallOptions,
  McpCallResult,
  McpConnection,
  McpConnectionOptions,
  McpProgress,
  McpPrompt,
  McpQuestion,
  McpResource,
  McpState,
  McpTool,
} from "./mcp-connection.ts";
