export type { AgentState } from "./agent/agent-state.ts";
export type { AIMessage, ChatMessage, MemoryToolCall, ToolMessage } from "./agent/chat-message.ts";
export { ControlState } from "./agent/control-state.ts";
export { MemoryAgent, type MemoryAgentOptions, openingText, type ThreadProgress } from "./agent/memory-agent.ts";
export { MemoryAgentError, ModelCallError } from "./agent/memory-agent-error.ts";
export { MemoryInvoker } from "./agent/memory-invoker.ts";
export {
  buildAddEntryPrompt,
  buildPutContextPrompt,
  type ContextPromptParts,
  type EntryPromptParts,
  type MemoryPlace,
} from "./agent/prompts.ts";
export type { ThreadEvent } from "./agent/thread-event.ts";
export { type OpenThread, type ThreadJournal, threadFileName, threadFiles } from "./agent/thread-journal.ts";
export {
  type EmbeddedMemoryStore,
  type EmbeddedStoreOptions,
  openEmbeddedStore,
} from "./embedded/embedded-store.ts";
export { DEFAULT_MEMORY, ensureMemory, findMemory, type MemoryName } from "./ensure-memory.ts";
export { LIMITS } from "./limits.ts";
export { type EntryLine, entryLine } from "./lines/entry-line.ts";
export { type BrokenLine, type ImportOptions, type ImportProgress, importLines } from "./lines/import-lines.ts";
export { readLines } from "./lines/read-lines.ts";
export { timeOf } from "./lines/time-text.ts";
export type {
  EntryPage,
  FoundEntry,
  MemoryEntry,
  MemoryStore,
  NewEntry,
  NewMemory,
  NewVault,
  PromptTemplates,
  SearchOptions,
  Vault,
  VaultMemory,
} from "./memory-store.ts";
export { MemoryStoreError, type MemoryStoreProblem } from "./memory-store-error.ts";
export {
  ConversationKeeper,
  type ConversationKeeperOptions,
  type ThreadLock,
} from "./observing/conversation-keeper.ts";
export { DEFAULT_PROMPTS } from "./prompts/default-prompts.ts";
export type { MemoryConnection } from "./remote/remote-calls.ts";
export { openRemoteStore, type RemoteStoreOptions } from "./remote/remote-store.ts";
