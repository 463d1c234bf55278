export { UnknownPriceError } from "./agent/accounting.ts";
export { AgentClosedError } from "./agent/agent-closed-error.ts";
export { openAgent } from "./agent/open-agent.ts";
export { ReentrantPromptError } from "./agent/open-modules.ts";
export { ModelMissingError } from "./agent/prompt-runner.ts";
export { type RewindWithFiles, rewindWithFiles } from "./agent/rewind-with-files.ts";
export { type HostedOutcome, type HostedPrompt, runOnHost } from "./agent/run-on-host.ts";

export { answerText } from "./content-text.ts";
export { ReplayError } from "./hosts/replay-error.ts";
export { JournalError } from "./journal/journal.ts";
export { CompletionOrder } from "./loop/completion-order.ts";
export { emptyAnswerText } from "./loop/empty-answer.ts";
export { onceEach } from "./loop/event-numbers.ts";
export type { Host, HostInbox, Step, StepContext, StepName, StepOptions } from "./loop/host.ts";
export { ReferenceEngine, type ReferenceOptions, type ReferenceRun } from "./loop/reference-host.ts";
export { McpPromptError } from "./mcp/mcp-prompts.ts";
export { offeredWords } from "./questions/answer-words.ts";
export { AnswerError, AnsweredQuestionError, UnknownQuestionError } from "./questions/question-errors.ts";
export { type QuestionField, questionFields, typedValue } from "./questions/question-fields.ts";
export {
  answerWaiting,
  type GivenAnswer,
  type QuestionFolders,
  waitingQuestions,
} from "./questions/waiting-questions.ts";
export { type RecordedPrompt, type Recording, type RecordingSource, recordingText } from "./recording/recording.ts";
export type { AgentChange } from "./replay/agent-changes.ts";
export type { CallCounts, Comparison, ComparisonOptions } from "./replay/model-comparison.ts";
export { openComparison, openReplay } from "./replay/open-replay.ts";
export type { LiveTools, Replay, RunCall, ToolDifference } from "./replay/session-replay.ts";
export { SandboxMissingError } from "./sandbox/sandbox.ts";
export {
  type DamagedSession,
  lastSession,
  listSessions,
  readSession,
  type SessionCatalog,
  type SessionRecord,
  type SessionSummary,
  sessionSummary,
  sessionWorkspace,
  type VerifySessionsOptions,
  verifySessions,
} from "./session/catalog.ts";
export {
  deleteSession,
  discardUnused,
  forkSession,
  renameSession,
  rewindSession,
  SessionExistsError,
} from "./session/change-session.ts";
export { newSession } from "./session/new-session.ts";
export {
  checkSessionId,
  idRefusal,
  SessionIdError,
  sessionFolder,
  UnknownSessionError,
} from "./session/session-folder.ts";
export { SessionInUseError, sessionFree, type WaitOptions } from "./session/session-lock.ts";
export { titleSession } from "./session/session-title.ts";
export { UnknownPromptError } from "./session/transcript.ts";
export type { SessionsVerification, SessionVerification, Verification } from "./session/verify-session.ts";
export { contextName } from "./skills/skill-contexts.ts";
export { DisabledSkillError, SkillFileError, SkillTextError, UnknownSkillError } from "./skills/skills.ts";
export { RenderError } from "./tool-host/tool-host.ts";
export { executeTool } from "./tools/execute-tool.ts";
export { readTrace } from "./trace/read-trace.ts";
export type {
  Trace,
  TraceCall,
  TraceCompaction,
  TraceModel,
  TracePrompt,
  TraceStep,
  TraceTool,
  TraceTurn,
} from "./trace/trace.ts";
export type {
  Agent,
  UserCommand,
  UserCommandEnd,
  UserMemory,
  UserShell,
} from "./types/agent.ts";
export type { AgentChanges, AgentOptions, TrustedCode } from "./types/agent-options.ts";
export type {
  Checkpoint,
  CheckpointFile,
  RestoredFile,
  UndoOptions,
  UndoResult,
} from "./types/checkpoint.ts";
export type {
  AgentEvent,
  AssistantMessageEvent,
  CompactionReport,
  Cost,
  LimitName,
  PendingPrompt,
  PromptOutcome,
  TokenMeasure,
} from "./types/event.ts";
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
  BeforePromptEvent,
  BeforeToolEvent,
  ModuleContext,
  ProgramHost,
  ProgramModules,
  PromptResult,
} from "./types/module.ts";
export type {
  ApprovalAnswer,
  ApprovalRequest,
  AskApproval,
  AskedAccess,
  PermissionDecision,
  SandboxAccess,
  SandboxGrant,
  ToolAccess,
  UserPermissions,
} from "./types/permission.ts";
export type { Answer, AnsweredBy, AnswerWords, ApprovalQuestion, ApprovalSubject, Question } from "./types/question.ts";
export type { AttachedProcess, SandboxDescription, SandboxView, ToolSandboxView } from "./types/sandbox.ts";
export type {
  AgentSkill,
  AttachedFile,
  CommandNote,
  EventsOptions,
  PromptOptions,
  Session,
  SessionInfo,
  SubmitOptions,
  WorkOptions,
} from "./types/session.ts";
export type { AgentTool, BuiltinToolContext, ToolContext, ToolResult, ToolSource } from "./types/tool.ts";
export type { ToolLabel } from "./types/tool-label.ts";
export type { ToolOrigin } from "./types/tool-origin.ts";
export type { ToolAnswer } from "./types/tool-registry.ts";
export { addCost, noCost, totalTokens } from "./usage/cost.ts";
