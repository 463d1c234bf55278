export { UnknownPriceError } from "./agent/accounting.ts";
export { hostedHeartbeat, hostedSession } from "./agent/hosted-agent.ts";
export type { HostedSession, PromptOnHost } from "./agent/hosted-session.ts";
export { PromptKeyError } from "./agent/known-input.ts";
export { openAgent } from "./agent/open-agent.ts";
export { HostEndedError, ModelMissingError } from "./agent/prompt-runner.ts";
export { DEFAULT_SLOTS, DEFAULT_TURNS } from "./agent/prompt-settings.ts";
export { type RewindWithFiles, rewindWithFiles } from "./agent/rewind-with-files.ts";
export { type HostedOutcome, type HostedPrompt, runOnHost } from "./agent/run-on-host.ts";
export { loadSessionCode } from "./agent/session-code.ts";
export { AgentClosedError } from "./agent-closed-error.ts";

export type { HeartbeatLook, HostedHeartbeat, HostedWake } from "./heartbeat/hosted-heartbeat.ts";
export type { RunEnd } from "./heartbeat/wake.ts";
export { McpPromptError } from "./mcp/mcp-prompts.ts";
export { ReentrantPromptError } from "./modules/reentrant-prompt-error.ts";

export type { AgentChange } from "./replay/agent-changes.ts";
export type { CallCounts, Comparison, ComparisonOptions } from "./replay/model-comparison.ts";
export { openComparison, openReplay } from "./replay/open-replay.ts";
export type { LiveTools, Replay, RunCall, ToolDifference } from "./replay/session-replay.ts";

export { contextName } from "./skills/skill-contexts.ts";
export { DisabledSkillError, SkillFileError, SkillTextError, UnknownSkillError } from "./skills/skills.ts";

export type {
  Agent,
  CloseOptions,
  UserCommand,
  UserCommandEnd,
  UserMemory,
  UserShell,
} from "./types/agent.ts";
export type { AgentChanges, AgentOptions, TrustedCode } from "./types/agent-options.ts";
export type { CredentialGrant } from "./types/credential.ts";

export type {
  AgentServer,
  AnswerServer,
  DeclaredServer,
  McpAnswer,
  McpCallResult,
  McpPrompt,
  McpQuestion,
  McpResource,
  McpState,
  McpTool,
} from "./types/mcp.ts";
export type { AddedNote, Memory } from "./types/memory.ts";
export type {
  AfterPromptEvent,
  AfterToolEvent,
  AgentModule,
  BeforeEndEvent,
  BeforePromptEvent,
  BeforeToolEvent,
  ChangingTools,
  HookCommand,
  HookCommandEnd,
  HookEvent,
  ModuleContext,
  ModuleDue,
  ModulePromptOptions,
  ModuleState,
  ModuleTask,
  ProgramHost,
  ProgramModule,
  ProgramModules,
  PromptResult,
  QuestionEvent,
} from "./types/module.ts";
export type {
  AppliedChange,
  ChangedFile,
  MadeChange,
  ProposedChange,
  SelfChange,
  SelfEditor,
} from "./types/self-edit.ts";

export type {
  ActivePrompt,
  AgentSkill,
  AttachedFile,
  CommandNote,
  EventsOptions,
  PromptOptions,
  RunningAgent,
  Session,
  SessionInfo,
  SubmitOptions,
  WorkOptions,
} from "./types/session.ts";
export type { OpenSubagent, ParentAgent, ParentCall, Subagent } from "./types/subagent.ts";
