import type { Database } from "bun:sqlite";
import { LIMITS } from "../limits.ts";
import type { EntryPage, MemoryEntry } from "../memory-store.ts";
import { type CheckedEntry, checkedLimit, checkedTime } from "./checked.ts";
import type { IndexEntry } from "./index-entries.ts";
import { ENTRY_COLUMNS, type EntryRow, entryOf, type MemoryRow } from "./rows.ts";

const FROM = `SELECT ${ENTRY_COLUMNS} FROM entries e JOIN memories m ON m.number = e.memory`;

/** One page of a memory's entries, newest first. Throws `MemoryStoreError` (invalid). */
export const entryPage = (database: Database, memory: MemoryRow, page: EntryPage): readonly MemoryEntry[] =>
  newestEntries(database, memory, {
    ...page,
    limit: checkedLimit(page.limit, { usual: LIMITS.listDefault, most: LIMITS.listMost }),
  });

/** One entry; undefined if the memory has no entry with this id. */
export function entryOfId(database: Database, { number }: MemoryRow, entryId: string): MemoryEntry | undefined {
  const row = database
    .query<EntryRow, [number, string]>(`${FROM} WHERE e.memory = ? AND e.entry_id = ?`)
    .get(number, entryId);
  return row === null ? undefined : entryOf(row);
}

/** Which entries to read. */
export interface EntryChoice extends Omit<EntryPage, "limit"> {
  /** Default: all. */
  readonly limit?: number;
}

/** The entries of a memory, newest first. Throws `MemoryStoreError` (invalid). */
export function newestEntries(
  database: Database,
  { number }: MemoryRow,
  { limit = -1, before, after, source }: EntryChoice,
): readonly MemoryEntry[] {
  const conditions = [
    ...(before === undefined ? [] : [{ text: "e.created_at < ?", value: checkedTime(before, "before") }]),
    ...(after === undefined ? [] : [{ text: "e.created_at > ?", value: checkedTime(after, "after") }]),
    ...(source === undefined ? [] : [{ text: "e.source = ?", value: source }]),
  ];
  const where = ["e.memory = ?", ...conditions.map(({ text }) => text)].join(" AND ");
  return database
    .query<EntryRow, (number | string)[]>(`${FROM} WHERE ${where} ORDER BY e.created_at DESC, e.number DESC LIMIT ?`)
    .all(number, ...conditions.map(({ value }) => value), limit)
    .map(entryOf);
}

/** All entries in the order they were added. Reads in batches. */
export function* allEntries(database: Database, { number }: MemoryRow): Generator<MemoryEntry> {
  const part = database.query<EntryRow, [number, number]>(
    `${FROM} WHERE e.memory = ? AND e.number > ? ORDER BY e.number LIMIT ${PART}`,
  );
  let last = 0;
  for (;;) {
    const rows = part.all(number, last);
    for (const row of rows) yield entryOf(row);
    last = rows.at(-1)?.number ?? last;
    if (rows.length < PART) return;
  }
}

const PART = 1_000;

/** Writes entries and their index. Use within a transaction. */
export class EntryWriter {
  readonly #database: Database;
  readonly #index: IndexEntry;

  constructor(database: Database, index: IndexEntry) {
    this.#database = database;
    this.#index = index;
  }

  /** Returns whether the entry is new. An existing entry with its id stays unchanged. */
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

/** The stored form of an added entry. */
export const entryFrom = (memoryId: string, { createdAt, ...entry }: CheckedEntry): MemoryEntry => ({
  ...entry,
  memoryId,
  createdAt: new Date(createdAt).toISOString(),
});
