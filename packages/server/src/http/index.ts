// Listening loads nothing but this.
export type { AgentSource } from "../agents/served-agents.ts";
export { isLoopback } from "./access/loopback.ts";
export type { Access, UserToken } from "./access/tokens.ts";
export { loadApi, type RunningServer, serve } from "./serve.ts";
export type { ServeOptions } from "./serve-options.ts";
