export type { AIMessage, ChatMessage, MemoryToolCall, ToolMessage } from "./agent/chat-message.ts";
export { MemoryAgent, type MemoryAgentOptions, type ThreadProgress } from "./agent/memory-agent.ts";
export { MemoryInvoker } from "./agent/memory-invoker.ts";
export { openingText } from "./agent/opening-text.ts";
export {
  buildAddEntryPrompt,
  buildPutContextPrompt,
  type ContextPromptParts,
  type EntryPromptParts,
  type MemoryPlace,
} from "./agent/prompts.ts";
export { ControlState, MemoryAgentError, ModelCallError } from "./agent/protocol.ts";
export type { ThreadEvent } from "./agent/thread-event.ts";
export { type OpenThread, type ThreadJournal, threadFileName, threadFiles } from "./agent/thread-journal.ts";
export type { AgentState } from "./agent/thread-state.ts";
export {
  type EmbeddedMemoryStore,
  type EmbeddedStoreOptions,
  openEmbeddedStore,
} from "./embedded/embedded-store.ts";
export { vectorOptions } from "./embedded/vector-options.ts";
export type { VectorOptions } from "./embedded/vector-search.ts";
export { DEFAULT_MEMORY, ensureMemory, findMemory, type MemoryName } from "./ensure-memory.ts";
export { LIMITS } from "./limits.ts";
export { type EntryLine, entryLine, timeOf } from "./lines/entry-line.ts";
export {
  type BrokenLine,
  type ImportOptions,
  type ImportProgress,
  importLines,
  readLines,
} from "./lines/import-lines.ts";
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
export { DEFAULT_PROMPTS } from "./memory-store.ts";
export { MemoryStoreError, type MemoryStoreProblem } from "./memory-store-error.ts";
export {
  ConversationKeeper,
  type ConversationKeeperOptions,
  type ThreadLock,
} from "./observing/conversation-keeper.ts";
export type { MemoryConnection } from "./remote/remote-calls.ts";
export { openRemoteStore, type RemoteStoreOptions } from "./remote/remote-store.ts";
