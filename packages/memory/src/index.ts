export type {
  EntryPage,
  FoundEntry,
  MemoryEntry,
  MemoryStore,
  NewEntry,
  PromptTemplates,
  SearchOptions,
  Vault,
  VaultMemory,
} from "./memory-store.ts";
