import type { Database } from "bun:sqlite";
import { LIMITS } from "../limits.ts";
import type { NewMemory, NewVault, Vault, VaultMemory } from "../memory-store.ts";
import { MemoryStoreError } from "../memory-store-error.ts";
import { atMost, checkedText, newId } from "./checked.ts";
import { type MemoryRow, memoryOf, type VaultRow, vaultOf } from "./rows.ts";

/** The vaults and memories of a database. All methods throw `MemoryStoreError`. */
export class Vaults {
  readonly #database: Database;
  readonly #now: () => number;

  constructor(database: Database, now: () => number) {
    this.#database = database;
    this.#now = now;
  }

  create({ vaultId, title, description }: NewVault): Vault {
    const row: VaultRow = {
      vault_id: vaultId === undefined ? newId() : checkedText(vaultId, "vaultId", LIMITS.id),
      ...named(title, description),
      created_at: this.#now(),
    };
    const added = this.#database.run(
      "INSERT OR IGNORE INTO vaults (vault_id, title, description, created_at) VALUES (?, ?, ?, ?)",
      [row.vault_id, row.title, row.description, row.created_at],
    );
    if (added.changes === 0) throw exists("a vault", title);
    return vaultOf(row);
  }

  list(): readonly Vault[] {
    return this.#database
      .query<VaultRow, []>("SELECT vault_id, title, description, created_at FROM vaults ORDER BY created_at, vault_id")
      .all()
      .map(vaultOf);
  }

  createMemory(vaultId: string, { title, memoryType, description }: NewMemory): VaultMemory {
    this.#requireVault(vaultId);
    const row = {
      vault_id: vaultId,
      memory_id: newId(),
      ...named(title, description),
      memory_type: checkedText(memoryType, "memoryType", LIMITS.id),
      created_at: this.#now(),
    };
    const added = this.#database.run(
      "INSERT OR IGNORE INTO memories (vault_id, memory_id, title, memory_type, description, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      [row.vault_id, row.memory_id, row.title, row.memory_type, row.description, row.created_at],
    );
    if (added.changes === 0) throw exists("a memory", title);
    return memoryOf({ ...row, number: 0, entry_count: 0 });
  }

  listMemories(vaultId: string): readonly VaultMemory[] {
    this.#requireVault(vaultId);
    return this.#database
      .query<MemoryRow, [string]>("SELECT * FROM memories WHERE vault_id = ? ORDER BY number")
      .all(vaultId)
      .map(memoryOf);
  }

  memory(vaultId: string, memoryId: string): MemoryRow {
    const row = this.memoryOfAnyVault(memoryId);
    if (row.vault_id === vaultId) return row;
    this.#requireVault(vaultId);
    throw unknownMemory(memoryId);
  }

  /** Memory ids are unique in a database. */
  memoryOfAnyVault(memoryId: string): MemoryRow {
    const row = this.#database.query<MemoryRow, [string]>("SELECT * FROM memories WHERE memory_id = ?").get(memoryId);
    if (row === null) throw unknownMemory(memoryId);
    return row;
  }

  #requireVault(vaultId: string): void {
    const found = this.#database.query("SELECT 1 FROM vaults WHERE vault_id = ?").get(vaultId);
    if (found === null) throw new MemoryStoreError("unknown_vault", `there is no vault ${JSON.stringify(vaultId)}`);
  }
}

const named = (title: string, description: string | undefined): Pick<VaultRow, "title" | "description"> => ({
  title: checkedText(title, "title", LIMITS.title),
  description: description === undefined ? null : atMost(description, "description", LIMITS.description),
});

const exists = (what: string, title: string): MemoryStoreError =>
  new MemoryStoreError("exists", `${what} with this title or id already exists: ${JSON.stringify(title)}`);

const unknownMemory = (memoryId: string): MemoryStoreError =>
  new MemoryStoreError("unknown_memory", `there is no memory ${JSON.stringify(memoryId)}`);

/** Adds a context and keeps earlier ones. Throws `MemoryStoreError` (invalid). */
export function putContext(database: Database, { number }: MemoryRow, context: string, now: number): void {
  const content = atMost(context, "context", LIMITS.context);
  database.run("INSERT INTO contexts (memory, created_at, content) VALUES (?, ?, ?)", [number, now, content]);
}

/** The newest context; undefined if there is none. */
export const newestContext = (database: Database, { number }: MemoryRow): string | undefined =>
  database
    .query<{ readonly content: string }, [number]>(
      "SELECT content FROM contexts WHERE memory = ? ORDER BY number DESC LIMIT 1",
    )
    .get(number)?.content;
