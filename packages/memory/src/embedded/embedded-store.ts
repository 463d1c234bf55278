import type { Database } from "bun:sqlite";
import {
  DEFAULT_PROMPTS,
  type EntryPage,
  type FoundEntry,
  type MemoryEntry,
  type MemoryStore,
  type NewEntry,
  type NewMemory,
  type NewVault,
  type PromptTemplates,
  type SearchOptions,
  type Vault,
  type VaultMemory,
} from "../memory-store.ts";
import { createTerms } from "../search/words.ts";
import { checkedEntry, checkedTime, type EntryChecks } from "./checked.ts";
import {
  allEntries,
  type EntryChoice,
  EntryWriter,
  entryFrom,
  entryOfId,
  entryPage,
  newestEntries,
} from "./entries.ts";
import { type ChosenEntries, finishForgetting, forgetEntries } from "./forget-entries.ts";
import { indexEntries, updateIndex } from "./index-entries.ts";
import { openDatabase, storeFailure, useLibrary } from "./open-database.ts";
import { type MemoryRow, memoryOf } from "./rows.ts";
import { migrate, verifyDatabase } from "./schema.ts";
import { Searcher } from "./searcher.ts";
import { newestContext, putContext, Vaults } from "./vaults.ts";
import { openVectorSearch, type VectorOptions, type VectorSearch } from "./vector-search.ts";

export interface EmbeddedStoreOptions {
  /** Redacts every text before it is stored. Default: nothing is redacted. */
  readonly redact?: (text: string) => string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Finds entries by vectors, too. Default: by words alone. */
  readonly vectors?: VectorOptions | undefined;
}

/** A store in one file. Several processes may use it at once. A completed operation survives a crash. */
export interface EmbeddedMemoryStore extends MemoryStore {
  addEntry(vaultId: string, memoryId: string, entry: NewEntry): Promise<MemoryEntry>;
  /** Adds all entries in one transaction. Returns which of them are new. */
  addEntries(vaultId: string, memoryId: string, entries: readonly NewEntry[]): Promise<readonly boolean[]>;
  /** All entries, in the order they were added. */
  entries(vaultId: string, memoryId: string): Iterable<MemoryEntry>;
  /** Newest first; all unless `choice` limits them. */
  newestEntries(vaultId: string, memoryId: string, choice?: EntryChoice): Promise<readonly MemoryEntry[]>;
  /** Afterwards no file of the store contains the deleted entries. */
  forgetEntries(vaultId: string, memoryId: string, entryIds: readonly string[]): Promise<readonly string[]>;
  /** Deletes all entries of a source. */
  forgetSource(vaultId: string, memoryId: string, source: string): Promise<readonly string[]>;
  /** Problems of the store as sentences; empty if there are none. */
  verify(): Promise<readonly string[]>;
}

/** Opens the store in a file, or creates it. Its folder must exist. Rejects with `MemoryStoreError`. */
export async function openEmbeddedStore(
  path: string,
  options: EmbeddedStoreOptions = {},
): Promise<EmbeddedMemoryStore> {
  const sqlite = options.vectors?.sqlite;
  // A second store finds it in use.
  if (sqlite !== undefined) await useLibrary(sqlite).catch(() => {});
  const database = await openDatabase(path);
  try {
    migrate(database);
    const vectors = options.vectors && openVectorSearch(database, options.vectors);
    return new EmbeddedStore(database, { redact: (text) => text, now: Date.now, ...options }, vectors);
  } catch (error) {
    database.close();
    throw storeFailure(error);
  }
}

class EmbeddedStore implements EmbeddedMemoryStore {
  readonly #database: Database;
  readonly #checks: EntryChecks;
  readonly #vaults: Vaults;
  readonly #writer: EntryWriter;
  readonly #searcher: Searcher;
  readonly #vectors: VectorSearch | undefined;

  constructor(database: Database, checks: EntryChecks, vectors: VectorSearch | undefined) {
    this.#vectors = vectors;
    this.#database = database;
    this.#checks = checks;
    this.#vaults = new Vaults(database, checks.now);
    const term = createTerms();
    const index = indexEntries(database, term);
    this.#searcher = new Searcher(database, term, vectors);
    this.#writer = new EntryWriter(database, index);
    updateIndex(database, index);
    finishForgetting(database);
  }

  createVault(vault: NewVault): Promise<Vault> {
    return this.#run(() => this.#vaults.create(vault));
  }

  listVaults(): Promise<readonly Vault[]> {
    return this.#run(() => this.#vaults.list());
  }

  createMemory(vaultId: string, memory: NewMemory): Promise<VaultMemory> {
    return this.#run(() => this.#vaults.createMemory(vaultId, memory));
  }

  listMemories(vaultId: string): Promise<readonly VaultMemory[]> {
    return this.#run(() => this.#vaults.listMemories(vaultId));
  }

  getMemory(vaultId: string, memoryId: string): Promise<VaultMemory> {
    return this.#run(() => memoryOf(this.#vaults.memory(vaultId, memoryId)));
  }

  addEntry(vaultId: string, memoryId: string, entry: NewEntry): Promise<MemoryEntry> {
    return this.#run(() => {
      const memory = this.#vaults.memory(vaultId, memoryId);
      const checked = checkedEntry(entry, this.#checks);
      this.#database.transaction(() => this.#writer.add(memory, checked)).immediate();
      // An entry with the same id may have existed.
      return entryOfId(this.#database, memory, checked.entryId) ?? entryFrom(memoryId, checked);
    });
  }

  addEntries(vaultId: string, memoryId: string, entries: readonly NewEntry[]): Promise<readonly boolean[]> {
    return this.#run(() => {
      const memory = this.#vaults.memory(vaultId, memoryId);
      const checked = entries.map((entry) => checkedEntry(entry, this.#checks));
      return this.#database.transaction(() => checked.map((entry) => this.#writer.add(memory, entry))).immediate();
    });
  }

  listEntries(vaultId: string, memoryId: string, page: EntryPage = {}): Promise<readonly MemoryEntry[]> {
    return this.#run(() => entryPage(this.#database, this.#vaults.memory(vaultId, memoryId), page));
  }

  entries(vaultId: string, memoryId: string): Iterable<MemoryEntry> {
    return allEntries(this.#database, this.#vaults.memory(vaultId, memoryId));
  }

  newestEntries(vaultId: string, memoryId: string, choice: EntryChoice = {}): Promise<readonly MemoryEntry[]> {
    return this.#run(() => newestEntries(this.#database, this.#vaults.memory(vaultId, memoryId), choice));
  }

  getEntry(vaultId: string, memoryId: string, entryId: string): Promise<MemoryEntry | undefined> {
    return this.#run(() => entryOfId(this.#database, this.#vaults.memory(vaultId, memoryId), entryId));
  }

  putContext(vaultId: string, memoryId: string, content: string): Promise<void> {
    const { redact, now } = this.#checks;
    return this.#run(() => putContext(this.#database, this.#vaults.memory(vaultId, memoryId), redact(content), now()));
  }

  getContext(vaultId: string, memoryId: string): Promise<string | undefined> {
    return this.#run(() => newestContext(this.#database, this.#vaults.memory(vaultId, memoryId)));
  }

  async awaitConsistency(memoryId: string): Promise<void> {
    // A completed transaction is visible to searches at once; vectors are not.
    const memory = await this.#run(() => this.#vaults.memoryOfAnyVault(memoryId));
    await this.#vectors?.complete(memory);
  }

  search(
    vaultId: string,
    memoryId: string,
    query: string,
    options: SearchOptions = {},
  ): Promise<readonly FoundEntry[]> {
    return this.#run(() => {
      const memory = this.#vaults.memory(vaultId, memoryId);
      const now = options.now === undefined ? this.#checks.now() : checkedTime(options.now, "now");
      return this.#searcher.search(memory, { query, now, limit: options.limit });
    });
  }

  async defaultPrompts(): Promise<PromptTemplates> {
    return DEFAULT_PROMPTS;
  }

  forgetEntries(vaultId: string, memoryId: string, ids: readonly string[]): Promise<readonly string[]> {
    return this.#run(() => this.#forget(this.#vaults.memory(vaultId, memoryId), { ids }));
  }

  forgetSource(vaultId: string, memoryId: string, source: string): Promise<readonly string[]> {
    return this.#run(() => this.#forget(this.#vaults.memory(vaultId, memoryId), { source }));
  }

  verify(): Promise<readonly string[]> {
    return this.#run(() => verifyDatabase(this.#database));
  }

  async close(): Promise<void> {
    this.#database.close();
  }

  #forget(memory: MemoryRow, chosen: ChosenEntries): readonly string[] {
    this.#searcher.forget();
    return forgetEntries(this.#database, memory, chosen);
  }

  async #run<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      throw storeFailure(error);
    }
  }
}
