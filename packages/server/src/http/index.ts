export { type AgentSource, ServerClosedError, UnknownAgentError } from "../agents/served-agents.ts";
export { isLoopback } from "./access/origin.ts";
export type { Access, UserToken } from "./access/tokens.ts";
export { type RunningServer, type ServeOptions, serve } from "./serve.ts";
