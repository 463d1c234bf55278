export { type BuildOptions, type BuiltAgent, buildAgent } from "./build-agent.ts";
export { type InstalledAgent, installAgent } from "./install-agent.ts";
