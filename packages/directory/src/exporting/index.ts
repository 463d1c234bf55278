export { agentsText } from "./agents-text.ts";
export { documentation } from "./documentation.ts";
export { type AgentPlace, mcpConfiguration } from "./mcp-configuration.ts";
