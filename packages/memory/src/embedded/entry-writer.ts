import type { Database } from "bun:sqlite";
import type { MemoryEntry } from "../memory-store.ts";
import type { CheckedEntry } from "./checked.ts";
import type { IndexEntry } from "./index-entries.ts";
import type { MemoryRow } from "./rows.ts";

/** Writes entries and their index. Use it within a transaction. */
export class EntryWriter {
  readonly #database: Database;
  readonly #index: IndexEntry;

  constructor(database: Database, index: IndexEntry) {
    this.#database = database;
    this.#index = index;
  }

  /** Returns whether the entry is new: one of its id stays as it is. */
  add({ number: memory, memory_id: memoryId }: MemoryRow, entry: CheckedEntry): boolean {
    const { entryId, createdAt, rawEntry, summary, tags } = entry;
    const session = tags["session"] ?? "";
    const added = this.#database
      .query(
        `INSERT OR IGNORE INTO entries (memory, entry_id, created_at, session, position, source, summary, raw_entry, tags)
        VALUES (?1, ?2, ?3, ?4, 1 + IFNULL((SELECT MAX(position) FROM entries WHERE memory = ?1 AND session = ?4), 0), ?5, ?6, ?7, ?8)`,
      )
      .run(memory, entryId, createdAt, session, tags["source"] ?? null, summary, rawEntry, JSON.stringify(tags));
    if (added.changes === 0) return false;
    this.#database.query("UPDATE memories SET entry_count = entry_count + 1 WHERE number = ?").run(memory);
    this.#index(memory, Number(added.lastInsertRowid), entryFrom(memoryId, entry));
    return true;
  }
}

/** An entry as it is after it was added. */
export const entryFrom = (memoryId: string, { createdAt, ...entry }: CheckedEntry): MemoryEntry => ({
  ...entry,
  memoryId,
  createdAt: new Date(createdAt).toISOString(),
});
