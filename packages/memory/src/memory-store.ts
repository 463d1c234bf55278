/** A collection of memories. Times are ISO 8601 in UTC. */
export interface Vault {
  readonly vaultId: string;
  readonly title: string;
  readonly description?: string;
  readonly createdAt: string;
}

export interface VaultMemory {
  readonly vaultId: string;
  readonly memoryId: string;
  readonly title: string;
  readonly memoryType: string;
  readonly description?: string;
  readonly createdAt: string;
}

/** An entry, which never changes. */
export interface MemoryEntry {
  readonly entryId: string;
  readonly memoryId: string;
  readonly createdAt: string;
  readonly rawEntry: string;
  readonly summary: string;
  readonly tags: Readonly<Record<string, string>>;
}

export interface NewEntry {
  readonly rawEntry: string;
  readonly summary: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** The caller's id: an entry of this id is not added again. */
  readonly entryId?: string;
  /** When it was said, if not now. */
  readonly createdAt?: string;
}

export interface EntryPage {
  /** Newest first. Default 25, at most 50. */
  readonly limit?: number;
  /** Entries created before or after this time. */
  readonly before?: string;
  readonly after?: string;
}

export interface FoundEntry {
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one search alone. */
  readonly score: number;
}

export interface SearchOptions {
  readonly limit?: number;
  /** Dates in the question are relative to this time. Default: now. */
  readonly now?: string;
}

/** The texts by which a memory agent works. */
export interface PromptTemplates {
  readonly contextPrompt: string;
  readonly entryCapturePrompt: string;
  readonly summaryPrompt: string;
}

/** The operations of the memory service. All reject with `MemoryStoreError`. */
export interface MemoryStore {
  createVault(vault: {
    readonly vaultId?: string;
    readonly title: string;
    readonly description?: string;
  }): Promise<Vault>;
  listVaults(): Promise<readonly Vault[]>;
  createMemory(
    vaultId: string,
    memory: { readonly title: string; readonly memoryType: string; readonly description?: string },
  ): Promise<VaultMemory>;
  listMemories(vaultId: string): Promise<readonly VaultMemory[]>;
  getMemory(vaultId: string, memoryId: string): Promise<VaultMemory>;
  addEntry(vaultId: string, memoryId: string, entry: NewEntry): Promise<MemoryEntry | undefined>;
  listEntries(vaultId: string, memoryId: string, page?: EntryPage): Promise<readonly MemoryEntry[]>;
  getEntry(vaultId: string, memoryId: string, entryId: string): Promise<MemoryEntry | undefined>;
  putContext(vaultId: string, memoryId: string, content: string): Promise<void>;
  /** Undefined if there is none yet. */
  getContext(vaultId: string, memoryId: string): Promise<string | undefined>;
  /** Resolves when everything that was added before can be found. */
  awaitConsistency(memoryId: string): Promise<void>;
  search(vaultId: string, memoryId: string, query: string, options?: SearchOptions): Promise<readonly FoundEntry[]>;
  defaultPrompts(memoryType: string): Promise<PromptTemplates>;
  close(): Promise<void>;
}
