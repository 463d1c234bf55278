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

/**
 * An entry, which never changes. Of its tags `speaker` and `session` say who said it and where, and `source` where it came
 * from if a tool or a page said it, such as `tool:read_page`.
 */
export interface MemoryEntry {
  readonly entryId: string;
  readonly memoryId: string;
  readonly createdAt: string;
  readonly rawEntry: string;
  /** Empty if there is none. */
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
  /** Entries whose tag `source` is this. */
  readonly source?: string;
}

export interface FoundEntry {
  readonly entry: MemoryEntry;
  /** Higher is better; comparable within one search alone. */
  readonly score: number;
}

export interface SearchOptions {
  /** Default 10, at most 100. */
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

export interface NewVault {
  /** Default: an id that the store makes. */
  readonly vaultId?: string;
  /** Unique in the store. */
  readonly title: string;
  readonly description?: string;
}

export interface NewMemory {
  /** Unique in its vault. */
  readonly title: string;
  readonly memoryType: string;
  readonly description?: string;
}

/** The operations of the memory service. All reject with `MemoryStoreError`. */
export interface MemoryStore {
  createVault(vault: NewVault): Promise<Vault>;
  listVaults(): Promise<readonly Vault[]>;
  createMemory(vaultId: string, memory: NewMemory): Promise<VaultMemory>;
  listMemories(vaultId: string): Promise<readonly VaultMemory[]>;
  getMemory(vaultId: string, memoryId: string): Promise<VaultMemory>;
  /** The entry, or undefined from a service that only says that it has taken it. */
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
  /**
   * Removes entries for good and returns the ids of those that were there. Absent if the store cannot: entries of the service
   * are append-only.
   */
  forgetEntries?(vaultId: string, memoryId: string, entryIds: readonly string[]): Promise<readonly string[]>;
  close(): Promise<void>;
}
