export type { AgentFile, AgentFiles } from "./agent-files.ts";
export { sourcePaths } from "./agent-files.ts";
export { fillDefaults } from "./arguments/fill-defaults.ts";
export { referenced } from "./arguments/json-pointer.ts";
export {
  type Expectation,
  expectationOf,
  type SchemaCheck,
  type SchemaProblem,
  schemaCheck,
} from "./arguments/schema-problems.ts";
export {
  allBuiltinToolNames,
  type BuiltinToolName,
  basicTool,
  builtinCalled,
  builtinGroups,
  builtinsReplacing,
  builtinsThat,
  builtinToolNames,
  type CodingToolName,
  counterpartOf,
  isReplaceable,
  offeredBuiltins,
  type ToolEffect,
  withoutCompanions,
} from "./builtin-tools.ts";
export { scheduleInterval } from "./interval.ts";
export {
  MalformedPermissionError,
  type PermissionPattern,
  type PermissionRule,
  patternText,
  permissionPattern,
  permissionRules,
} from "./permission-pattern.ts";
export {
  parseAgentFiles,
  type ReadAgentDirectoryOptions,
  readAgentDirectory,
  readSkillFolders,
} from "./read-agent-directory.ts";
export { missingAgent } from "./read-agent-files.ts";
export { byFileAndPosition, quoted } from "./report.ts";
export { type Rule, rules } from "./rules.ts";
export { readUserSettings, type UserSandboxPath, type UserSettings } from "./settings/read-user-settings.ts";
export { entrypointText, skillText } from "./skills/skill-sections.ts";
export { type SplitSkill, splitSkill } from "./skills/split-skill.ts";
export { parametersSchema } from "./tools/parameters-schema.ts";
export { type CodeTranspiler, checkModule, codeTranspiler } from "./tools/tool-code-check.ts";
export { unclosedBracket } from "./tools/unclosed-bracket.ts";
export { wireNames } from "./tools/wire-names.ts";
export type {
  ActiveHours,
  AgentDefinition,
  AgentDirectory,
  AgentIdentity,
  HeartbeatCode,
  HeartbeatDefinition,
  HeartbeatDirectives,
  HeartbeatReceiver,
  IdentitySection,
  LocatedModel,
  ProseFile,
  RoutineTask,
  RoutineTime,
  TaskLimit,
} from "./types/agent-definition.ts";
export {
  type AccessPermissions,
  type AgentSettings,
  type ContextSettings,
  type CredentialDefinition,
  type CredentialSettings,
  HOOK_EVENTS,
  type HookDefinition,
  type HookEventName,
  type HookGroup,
  type HookSettings,
  type McpOAuthDefinition,
  type McpServerDefinition,
  type McpSettings,
  type McpTransport,
  type MemorySettings,
  PERMISSION_MODES,
  type PermissionAction,
  type PermissionMode,
  type PermissionSettings,
  type PromptLimits,
  type SandboxMode,
  type SandboxSettings,
  type SearchEndpoint,
  type SkillsSettings,
  type StatusbarStyle,
  type TerminalSettings,
  type ToolOutputMode,
  type UsageLimits,
  type WebSearchSettings,
} from "./types/agent-settings.ts";
export type { Diagnostic, Severity, SourcePoint, TextEdit } from "./types/diagnostic.ts";
export type { SkillDefinition, SkillEntrypoint, SkillToolDefinition } from "./types/skill-definition.ts";
export type { SubagentDefinition } from "./types/subagent-definition.ts";
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
