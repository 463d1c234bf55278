export { connectEngine } from "./connect-engine.ts";
export { EngineError } from "./engine-error.ts";
export { type Engine, type EngineAgentSource, type EngineOptions, openEngine } from "./open-engine.ts";
export {
  readEngineSession,
  type StoredSessionContent,
  type StoredSessionName,
  writeEngineSession,
} from "./stored-sessions.ts";
