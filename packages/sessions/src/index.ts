export {
  commandsOf,
  type FileChange,
  fileChanges,
  isAsBefore,
  isAsLeft,
  standingPrompts,
} from "./checkpoints/file-changes.ts";
export { fileKeeper } from "./checkpoints/file-keeper.ts";
export { currentHash, KeptContents } from "./checkpoints/kept-contents.ts";
export { closingLines } from "./damage/close-prompt.ts";
export type { CallHistory, PromptHistory } from "./history/prompt-history.ts";
export { readPrompt } from "./history/read-prompt.ts";
export type { SessionHistory, SessionPrompt } from "./history/session-history.ts";
export { withoutDecisions } from "./history/untrusted-lines.ts";
export { EventChannel, leavable } from "./hosts/event-channel.ts";
export { Inbox } from "./hosts/inbox.ts";
export { StepGate } from "./hosts/journaled-steps.ts";
export { LocalHost, type LocalHostOptions } from "./hosts/local-host.ts";
export { ReplayError } from "./hosts/replay-error.ts";
export {
  forgetfulJournal,
  isJournalLine,
  type Journal,
  JournalError,
  type JournalLine,
  resultLine,
} from "./journal/journal.ts";
export { type Answering, answerOf, offeredNames, offeredWords } from "./questions/answer-words.ts";
export { type QuestionBox, questionBox } from "./questions/question-box.ts";
export { AnswerError, AnsweredQuestionError, UnknownQuestionError } from "./questions/question-errors.ts";
export { type QuestionField, questionFields, typedValue } from "./questions/question-fields.ts";
export { type AskedByServer, answerHere, type FindQuestions, ServerQuestions } from "./questions/server-questions.ts";
export { SessionQuestions, type SessionQuestionsOptions } from "./questions/session-questions.ts";
export {
  answerWaiting,
  hasGivenAnswers,
  type QuestionFolders,
  waitingQuestions,
} from "./questions/waiting-questions.ts";
export {
  conversationBefore,
  type RecordedPrompt,
  type Recording,
  type RecordingSource,
  readRecording,
  readSource,
  recordingText,
} from "./recording/recording.ts";
export { replayPrompt } from "./recording/replay-prompt.ts";
export {
  lastSession,
  listSessions,
  readSession,
  type SessionCatalog,
  type SessionRecord,
  type SessionSummary,
  sessionSummary,
  sessionWorkspace,
  unfinishedSessions,
  verifySessions,
} from "./session/catalog.ts";
export {
  deleteSession,
  discardUnused,
  forkSession,
  renameSession,
  rewindSession,
} from "./session/change-session.ts";
export { ephemeralSession, type LineSession, lineSession } from "./session/ephemeral-session.ts";
export { makeSession, newSession, type SaidMessage, sessionAfter } from "./session/new-session.ts";
export type {
  InterruptedPrompt,
  OpenedSession,
  PendingEntry,
  PromptJournal,
  SessionPast,
} from "./session/session.ts";
export {
  checkSessionId,
  idRefusal,
  SessionExistsError,
  SessionIdError,
  SessionInUseError,
  sessionFolder,
  sessionFree,
  sessionsFolder,
  UnknownSessionError,
} from "./session/session-folder.ts";
export { readJournalLines } from "./session/session-journals.ts";
export { ownerMark, workMark } from "./session/session-key.ts";
export { isSessionLogName, sessionLogName } from "./session/session-log-name.ts";
export { keepSessionModel, sessionModel } from "./session/session-model.ts";
export { type FileStoreOptions, fileStore, memoryStore, type SessionStore } from "./session/session-store.ts";
export { titleSession } from "./session/session-title.ts";
export { workspaceAt } from "./session/session-workspace.ts";
export { choiceFor, disabledSkills, isEnabled, NO_CHOICES, type SkillChoices } from "./session/skill-choices.ts";
export { SessionBusyError, StoreUnavailableError, UnsupportedOperationError } from "./session/store-errors.ts";
export { openStoredSession, type StoredSessionOptions } from "./session/stored-session.ts";
export { requirePrompt, rewindLine, UnknownPromptError } from "./session/transcript.ts";
export type { SessionsVerification, SessionVerification, Verification } from "./session/verify-session.ts";
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
export type { Checkpoint, CheckpointFile, RestoredFile, UndoOptions, UndoResult } from "./types/checkpoint.ts";
export type { RaiseLine, UsageLine } from "./usage/usage-line.ts";
export { UsageLog } from "./usage/usage-log.ts";
export { type UsageReport, type UsageShare, usageReport } from "./usage/usage-report.ts";
export type { Tally } from "./usage/usage-view.ts";
