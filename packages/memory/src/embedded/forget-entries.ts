import type { Database } from "bun:sqlite";
import { MemoryStoreError } from "../memory-store-error.ts";
import { removeFromIndex } from "./index-entries.ts";
import type { MemoryRow } from "./rows.ts";

const CLEANING = "cleaning";

/** Entries chosen by id or by source. */
export type ChosenEntries = { readonly ids: readonly string[] } | { readonly source: string };

/** Deletes entries of a memory. Returns the ids of those that existed. */
export function forgetEntries(database: Database, { number }: MemoryRow, chosen: ChosenEntries): readonly string[] {
  const forget = database.transaction(() => {
    const found = "ids" in chosen ? ofIds(database, number, chosen.ids) : ofSource(database, number, chosen.source);
    const numbers = found.map((one) => one.number);
    removeFromIndex(database, number, numbers);
    for (const entry of numbers) {
      database.query("DELETE FROM vectors WHERE number = ?").run(entry);
      database.query("DELETE FROM entries WHERE number = ?").run(entry);
    }
    database.query("UPDATE memories SET entry_count = entry_count - ? WHERE number = ?").run(found.length, number);
    if (found.length > 0) database.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, '1')", [CLEANING]);
    return found.map(({ entry_id }) => entry_id);
  });
  const forgotten = forget.immediate();
  if (forgotten.length > 0) clean(database);
  return forgotten;
}

/** Completes a deletion that another process did not finish. */
export function finishForgetting(database: Database): void {
  const isPending = database.query("SELECT 1 FROM facts WHERE name = ?").get(CLEANING) !== null;
  if (isPending) clean(database);
}

/**
 * Rewrites the index and all pages, because words of deleted entries may remain in index keys and in free space. Then empties the log,
 * which contains the old pages.
 */
function clean(database: Database): void {
  database.run("INSERT INTO entry_index (entry_index) VALUES ('rebuild')");
  database.run("INSERT INTO word_parts (word_parts) VALUES ('rebuild')");
  database.run("VACUUM");
  const emptied = database.query<{ readonly busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get();
  if (emptied?.busy !== 0) throw new MemoryStoreError("busy", STILL_READ);
  database.run("DELETE FROM facts WHERE name = ?", [CLEANING]);
}

const STILL_READ =
  "forgotten, but another process still reads the old pages, so they are in the log; the next start of mdx-ai removes them";

interface Found {
  readonly number: number;
  readonly entry_id: string;
}

function ofIds(database: Database, memory: number, ids: readonly string[]): readonly Found[] {
  const query = database.query<Found, [number, string]>(
    "SELECT number, entry_id FROM entries WHERE memory = ? AND entry_id = ?",
  );
  return [...new Set(ids)].flatMap((id) => query.get(memory, id) ?? []);
}

const ofSource = (database: Database, memory: number, source: string): readonly Found[] =>
  database
    .query<Found, [number, string]>(
      "SELECT number, entry_id FROM entries WHERE memory = ? AND source = ? ORDER BY number",
    )
    .all(memory, source);
