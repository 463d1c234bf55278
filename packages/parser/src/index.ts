export type { AgentDefinition, AgentDirectory, AgentIdentity, IdentitySection } from "./types/agent-definition.ts";
export type { AgentSettings } from "./types/agent-settings.ts";
export type { Diagnostic, Severity, SourcePoint, TextEdit } from "./types/diagnostic.ts";
export type { HeartbeatDefinition, RoutineTask, RoutineTime } from "./types/heartbeat-definition.ts";
export type { JsonSchema, JsonValue } from "./types/json.ts";
export type { SkillDefinition } from "./types/skill-definition.ts";
export type { ParameterDefinition, ParameterType, ToolCode, ToolDefinition } from "./types/tool-definition.ts";
