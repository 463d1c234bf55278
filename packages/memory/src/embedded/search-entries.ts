import type { Database } from "bun:sqlite";
import { LIMITS } from "../limits.ts";
import type { FoundEntry, SearchOptions } from "../memory-store.ts";
import { memoryTerm } from "../search/index-text.ts";
import { createTerms, isStopWord, plainWords } from "../search/words.ts";
import { checkedLimit } from "./checked.ts";
import { ENTRY_COLUMNS, type EntryRow, entryOf, type MemoryRow } from "./rows.ts";

export interface Search extends SearchOptions {
  readonly query: string;
}

/** The entries that fit a question best, best first. Throws `MemoryStoreError` (invalid). */
export function searchEntries(database: Database, memory: MemoryRow, search: Search): readonly FoundEntry[] {
  const limit = checkedLimit(search.limit, { usual: LIMITS.searchDefault, most: LIMITS.searchMost });
  const term = createTerms();
  const words = plainWords(search.query.slice(0, 10_000));
  const content = words.filter((word) => !isStopWord(word));
  const terms = [...new Set((content.length === 0 ? words : content).map(term))].slice(0, 64);
  if (terms.length === 0) return [];
  const match = terms.map((one) => `"${memoryTerm(memory.number, one)}"`).join(" OR ");
  return database
    .query<EntryRow & { readonly score: number }, [string, number]>(
      `SELECT ${ENTRY_COLUMNS}, -bm25(entry_index, 1, 1, 0.5, 0.5) AS score FROM entry_index
      JOIN entries e ON e.number = entry_index.rowid JOIN memories m ON m.number = e.memory
      WHERE entry_index MATCH ? ORDER BY score DESC LIMIT ?`,
    )
    .all(match, limit)
    .map((row) => ({ entry: entryOf(row), score: row.score }));
}
