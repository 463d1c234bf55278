import type { Database } from "bun:sqlite";
import { LIMITS } from "../limits.ts";
import type { FoundEntry } from "../memory-store.ts";
import { fuse } from "../search/fuse.ts";
import { memoryTerm } from "../search/index-text.ts";
import { readQuestion } from "../search/question.ts";
import { type Ranked, rank } from "../search/rank.ts";
import { Candidates } from "./candidates.ts";
import { checkedLimit } from "./checked.ts";
import { MemoryCaches } from "./memory-cache.ts";
import { ENTRY_COLUMNS, type EntryRow, entryOf, type MemoryRow } from "./rows.ts";
import type { VectorSearch } from "./vector-search.ts";

export interface Search {
  readonly query: string;
  /** Milliseconds since 1970. Relative dates in the question refer to it. */
  readonly now: number;
  readonly limit: number | undefined;
}

/** Counting stops at this many entries: all such terms are about equally common. */
const COMMON = 50_000;

/** Finds entries by the words, times and speakers of a question. */
export class Searcher {
  readonly #database: Database;
  readonly #term: (word: string) => string;
  readonly #vectors: VectorSearch | undefined;
  readonly #caches = new MemoryCaches();

  /** `vectors`: absent if entries are found by words alone. */
  constructor(database: Database, term: (word: string) => string, vectors: VectorSearch | undefined) {
    this.#database = database;
    this.#vectors = vectors;
    this.#term = term;
  }

  /** The best matches for a question, best first. Rejects with `MemoryStoreError` (invalid). */
  async search(memory: MemoryRow, search: Search): Promise<readonly FoundEntry[]> {
    const most = checkedLimit(search.limit, { usual: LIMITS.searchDefault, most: LIMITS.searchMost });
    const near = (await this.#vectors?.nearest(memory, search.query, LIMITS.searchMost)) ?? [];
    const said = this.#byWords(memory, search).map(({ candidate, score }) => [candidate.number, score] as const);
    const words = said.slice(0, LIMITS.searchMost).map(([number]) => number);
    const ranked = (near.length === 0 ? said : fuse([words, near])).slice(0, most);
    const rows = this.#entries(ranked.map(([number]) => number));
    return ranked.flatMap(([number, score]) => {
      const row = rows.get(number);
      return row === undefined ? [] : [{ entry: entryOf(row), score }];
    });
  }

  #byWords(memory: MemoryRow, { query, now }: Search): readonly Ranked[] {
    const question = readQuestion(query, this.#term, now);
    const cache = this.#caches.of(memory);
    const having = (term: string): number => {
      const count = cache.counts.get(term) ?? this.#count(memory, term);
      cache.counts.set(term, count);
      return count;
    };
    const speakers = new Set([...question.terms].filter((term) => this.#isSpeaker(memory, term)));
    const known = { having, speakers };
    const candidates = new Candidates(this.#database, memory, cache).of(question, known);
    const { vocabulary } = cache;
    return rank(candidates, question, { ...known, size: memory.entry_count, vocabulary });
  }

  /** Drops the caches. */
  forget(): void {
    this.#caches.clear();
  }

  /** One query for all of them takes a fraction of the time. */
  #entries(numbers: readonly number[]): ReadonlyMap<number, EntryRow> {
    const rows = this.#database
      .query<EntryRow, [string]>(
        `SELECT ${ENTRY_COLUMNS} FROM json_each(?) chosen JOIN entries e ON e.number = chosen.value
        JOIN memories m ON m.number = e.memory`,
      )
      .all(JSON.stringify(numbers));
    return new Map(rows.map((row) => [row.number, row]));
  }

  #count({ number }: MemoryRow, term: string): number {
    return (
      this.#database
        .query<{ readonly count: number }, [string]>(
          `SELECT COUNT(*) AS count FROM (SELECT 1 FROM entry_index WHERE entry_index MATCH ? LIMIT ${COMMON})`,
        )
        .get(`"${memoryTerm(number, term)}"`)?.count ?? 0
    );
  }

  #isSpeaker({ number }: MemoryRow, term: string): boolean {
    const query = this.#database.query("SELECT 1 FROM speakers WHERE memory = ? AND term = ?");
    return query.get(number, memoryTerm(number, term)) !== null;
  }
}
