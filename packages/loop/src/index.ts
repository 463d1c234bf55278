export type { Cost } from "@mdx-ai/models";
export { allowAllGate } from "./allow-all-gate.ts";
export { CompletionOrder } from "./completion-order.ts";
export { answerText, contentText, type UserInput, userMessage } from "./content-text.ts";
export { compact } from "./context/compact.ts";
export {
  type CompactionOutcome,
  isCompaction,
  isCompactionOutcome,
  pricedOutcome,
} from "./context/compaction-outcome.ts";
export type { NamedText } from "./context/largest-part.ts";
export { RequestMeter } from "./context/request-meter.ts";
export {
  type ContextPolicy,
  firstHeld,
  firstNeeded,
  fits,
  forgetUnsent,
  headSize,
  isSent,
  lengthOf,
  upperBound,
} from "./context/sent-messages.ts";
export { addAnswer, addCost, addJournaled, addResult, costOf, isCost, latencyOf, noCost } from "./cost.ts";
export { emptyAnswerText } from "./empty-answer.ts";
export { compareEventIds, eventId, isEventId, nextEventId, onceEach } from "./event-numbers.ts";
export { type FileRecord, isFileRecord, type KeptContent, type WrittenFile } from "./file-record.ts";
export type { Host, HostInbox, Step, StepContext, StepOptions } from "./host.ts";
export { type CountedPlan, RepeatWatch, raiseOf, reachedUsage, spentOf, withoutNote } from "./limits.ts";
export {
  fullName,
  isLimitName,
  isPromptBegin,
  isPromptEnd,
  type PromptBegin,
  type PromptEnd,
  type PromptPlan,
} from "./plan.ts";
export type { BudgetEffects, PromptEffects, PromptHooks } from "./prompt-effects.ts";
export { deadlineOf } from "./question-deadline.ts";
export { ReferenceEngine } from "./reference-host.ts";
export { isAdapted } from "./retry.ts";
export { runPrompt } from "./run-prompt.ts";
export {
  type AgentParts,
  type CallDecision,
  isAddedContext,
  isAgentParts,
  isAskedCall,
  isDelivery,
  isNewHead,
  isPermissionDecision,
  isPolicyResult,
  isQueuedText,
  isSpentElsewhere,
  isUndoPlan,
  isWait,
  type NewHead,
  namedChanges,
  PROSE_PART,
  type UndoPlan,
  type Wait,
} from "./step-results.ts";
export { callSteps, isOfTurn, isResultOf, type ReadStep, readStep, STEPS, type StepKind } from "./steps.ts";
export {
  type BoundedResult,
  boundedResult,
  droppedNotice,
  errorResult,
  finishedResult,
  headOf,
  isContent,
  OUTPUT_LIMIT,
  pathText,
  tailOf,
  textResult,
  withNote,
} from "./tool-result.ts";
export type { Compaction, Conversation, SkillMarks } from "./types/compaction.ts";
export type {
  AgentEvent,
  AssistantMessageEvent,
  CompactionReport,
  PendingPrompt,
  PromptHook,
  PromptObserver,
  PromptOutcome,
  RequestHead,
  TokenMeasure,
} from "./types/event.ts";
export type { LimitName, Raised, ReachedLimit, Spent, SpentElsewhere } from "./types/limit.ts";
export type {
  ApprovalAnswer,
  ApprovalRequest,
  AskApproval,
  AskedAccess,
  GrantAnswer,
  PermissionDecision,
  SandboxAccess,
  SandboxGrant,
  SandboxGrants,
  ToolAccess,
  UserPermissions,
} from "./types/permission.ts";
export type {
  Answer,
  AnsweredBy,
  AnswerWords,
  ApprovalSubject,
  AskBudget,
  AskingCall,
  BudgetSubject,
  Elicitation,
  NeededApproval,
  PermissionGate,
  Question,
  QuestionSubject,
  Waiting,
} from "./types/question.ts";
export type {
  AgentTool,
  BuiltinTool,
  BuiltinToolContext,
  FileKeeper,
  ForeignTool,
  ParameterHabits,
  SeenContent,
  ToolContext,
  ToolDirectories,
  ToolResult,
  ToolSource,
  ToolStubs,
} from "./types/tool.ts";
export type { ToolLabel } from "./types/tool-label.ts";
export type { ToolOrigin } from "./types/tool-origin.ts";
export type { NamedTool, PlannedTool, ToolAnswer, ToolOutcome, ToolRegistry } from "./types/tool-registry.ts";
export { errorOutcome, INTERRUPTED, isInterrupted, resultMessage, SECRETS_LOST, wasNotRun } from "./unrun-call.ts";
export { withoutCopies } from "./without-copies.ts";
