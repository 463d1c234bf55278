export { type Expectation, expectationOf } from "./arguments/expectation.ts";
export { fillDefaults } from "./arguments/fill-defaults.ts";
export { referenced } from "./arguments/json-pointer.ts";
export type { SchemaProblem } from "./arguments/schema-problem.ts";
export { type SchemaCheck, schemaCheck } from "./arguments/schema-problems.ts";
export { type CodeTranspiler, codeTranspiler } from "./code-transpiler.ts";
export { scheduleInterval } from "./interval.ts";
export { parametersSchema } from "./parameters-schema.ts";
export {
  MalformedPermissionError,
  type PermissionPattern,
  patternText,
  permissionPattern,
} from "./permissions/permission-pattern.ts";
export { type PermissionRule, permissionRules } from "./permissions/permission-rules.ts";
export { type ReadAgentDirectoryOptions, readAgentDirectory } from "./read-agent-directory.ts";
export { readUserSettings, type UserSandboxPath, type UserSettings } from "./read-user-settings.ts";
export { byFileAndPlace } from "./report.ts";
export { type Rule, rules } from "./rules.ts";
export { settingsSchema } from "./settings/settings-schema.ts";
export { userSettingsSchema } from "./settings/user-settings-schema.ts";
export { type SplitSkill, splitSkill } from "./skills/split-skill.ts";
export type { AgentDefinition, AgentDirectory, AgentIdentity, IdentitySection } from "./types/agent-definition.ts";
export type {
  AgentSettings,
  ContextSettings,
  PermissionSettings,
  PromptLimits,
  SandboxMode,
  SandboxSettings,
  SpendingLimits,
  TouchPermissions,
  Verdict,
} from "./types/agent-settings.ts";
export type { Diagnostic, Severity, SourcePoint, TextEdit } from "./types/diagnostic.ts";
export type { HeartbeatDefinition, RoutineTask, RoutineTime } from "./types/heartbeat-definition.ts";
export type { JsonSchema, JsonValue } from "./types/json.ts";
export type { SkillDefinition } from "./types/skill-definition.ts";
export type {
  ItemType,
  ParameterDefinition,
  ParameterType,
  ToolCode,
  ToolDefinition,
  ToolFiles,
} from "./types/tool-definition.ts";
export type { ExampleExpectation, ToolExample } from "./types/tool-example.ts";
export { wireNames } from "./wire-names.ts";
