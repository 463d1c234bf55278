export { type Expectation, expectationOf } from "./arguments/expectation.ts";
export { fillDefaults } from "./arguments/fill-defaults.ts";
export { referenced } from "./arguments/json-pointer.ts";
export { type SchemaCheck, type SchemaProblem, schemaCheck } from "./arguments/schema-problems.ts";
export {
  allBuiltinToolNames,
  type BuiltinToolName,
  builtinGroups,
  builtinToolNames,
  isReplaceable,
  offeredBuiltins,
} from "./builtin-tools.ts";
export { scheduleInterval } from "./interval.ts";
export { parametersSchema } from "./parameters-schema.ts";
export {
  MalformedPermissionError,
  type PermissionPattern,
  type PermissionRule,
  patternText,
  permissionPattern,
  permissionRules,
} from "./permission-pattern.ts";
export { type ReadAgentDirectoryOptions, readAgentDirectory } from "./read-agent-directory.ts";
export { byFileAndPosition } from "./report.ts";
export { type Rule, rules } from "./rules.ts";
export { readUserSettings, type UserSandboxPath, type UserSettings } from "./settings/read-user-settings.ts";
export { settingsSchema } from "./settings/settings-schema.ts";
export { userSettingsSchema } from "./settings/user-settings-schema.ts";
export { type ContainerTarget, containerTarget } from "./skills/entrypoints/container-target.ts";
export type { EntrypointMistake } from "./skills/entrypoints/entrypoint-mistake.ts";
export { propertyNames } from "./skills/entrypoints/find-mistake.ts";
export { type GrpcServer, type GrpcTarget, grpcTarget } from "./skills/entrypoints/grpc-target.ts";
export { type HttpTarget, httpTarget } from "./skills/entrypoints/http-target.ts";
export { type PythonTarget, pythonTarget } from "./skills/entrypoints/python-target.ts";
export {
  BASE_DIRECTORY,
  type ShellTemplate,
  shellTemplate,
  type TemplateArgument,
} from "./skills/entrypoints/shell-template.ts";
export { skillText } from "./skills/skill-sections.ts";
export { type SplitSkill, splitSkill } from "./skills/split-skill.ts";
export { type CodeTranspiler, codeTranspiler } from "./tool-code-check.ts";
export type {
  AgentDefinition,
  AgentDirectory,
  AgentIdentity,
  HeartbeatDefinition,
  IdentitySection,
  RoutineTask,
  RoutineTime,
} from "./types/agent-definition.ts";
export {
  type AccessPermissions,
  type AgentSettings,
  type ContextSettings,
  type MemorySettings,
  PERMISSION_MODES,
  type PermissionAction,
  type PermissionMode,
  type PermissionSettings,
  type PromptLimits,
  type SandboxMode,
  type SandboxSettings,
  type SkillsSettings,
  type StatusbarStyle,
  type TerminalSettings,
  type UsageLimits,
} from "./types/agent-settings.ts";
export type { Diagnostic, Severity, SourcePoint, TextEdit } from "./types/diagnostic.ts";
export type { JsonSchema, JsonValue } from "./types/json.ts";
export type { McpOAuthDefinition, McpServerDefinition, McpSettings, McpTransport } from "./types/mcp-definition.ts";
export type { SkillDefinition, SkillEntrypoint, SkillToolDefinition } from "./types/skill-definition.ts";
export type {
  ExampleExpectation,
  ExampleFetch,
  ExampleResponse,
  ItemType,
  ParameterDefinition,
  ParameterType,
  ToolCode,
  ToolDefinition,
  ToolExample,
  ToolFiles,
} from "./types/tool-definition.ts";
export { wireNames } from "./wire-names.ts";
