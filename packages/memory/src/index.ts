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
export { DEFAULT_PROMPTS } from "./prompts/default-prompts.ts";
