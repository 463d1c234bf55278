// The public library `mdx-ai`, for programs that run agents and for authors of modules.

export type { Clock, JsonObject, JsonValue } from "@mdx-ai/base";
export {
  DirectoryError,
  type FrontEnd,
  type OpenDirectory,
  type OpenDirectoryOptions,
  openDirectory,
} from "@mdx-ai/directory";
export type {
  AgentEvent,
  AgentTool,
  Answer,
  AnswerWords,
  ApprovalAnswer,
  ApprovalRequest,
  AskApproval,
  Cost,
  Host,
  PromptOutcome,
  Question,
  Step,
  StepContext,
  StepOptions,
  ToolContext,
  ToolOrigin,
  ToolResult,
  ToolSource,
  UserPermissions,
} from "@mdx-ai/loop";
export { answerText, CompletionOrder, onceEach, ReferenceEngine } from "@mdx-ai/loop";
export {
  type AiSdkModel,
  type AiSdkOptions,
  type AssistantMessage,
  ConfigurationError,
  fromAiSdk,
  type ImageContent,
  type LanguageModel,
  type Message,
  MissingKeyError,
  ModelError,
  type ModelEvent,
  type ModelParameters,
  type ModelRequest,
  NoModelError,
  openModel,
  type TextContent,
  type ToolCall,
  type ToolResultMessage,
  type ToolSchema,
  UnknownProviderError,
  type Usage,
  type UserMessage,
} from "@mdx-ai/models";
export {
  type AgentDefinition,
  type AgentDirectory,
  type AgentSettings,
  type Diagnostic,
  readAgentDirectory,
  type SandboxSettings,
} from "@mdx-ai/parser";
export {
  type Agent,
  AgentClosedError,
  type AgentModule,
  type AgentOptions,
  type EventsOptions,
  type HostedOutcome,
  type HostedPrompt,
  type ModuleContext,
  openAgent,
  type PromptOptions,
  type PromptResult,
  runOnHost,
  type SubmitOptions,
} from "@mdx-ai/runtime";
export { SandboxMissingError } from "@mdx-ai/sandbox";
export type { SessionSummary } from "@mdx-ai/sessions";
export {
  AnswerError,
  AnsweredQuestionError,
  JournalError,
  listSessions,
  newSession,
  readSession,
  SessionInUseError,
  UnknownQuestionError,
  UnknownSessionError,
} from "@mdx-ai/sessions";
