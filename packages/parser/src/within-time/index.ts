export type { AgentFiles } from "../agent-files.ts";
export { type DefinedWithinTime, defineWithinTime } from "./define-within-time.ts";
