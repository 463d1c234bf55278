import type { Database } from "bun:sqlite";
import { LIMITS } from "../limits.ts";
import { atMost } from "./checked.ts";
import type { MemoryRow } from "./rows.ts";

/** Adds a context; earlier ones stay. Throws `MemoryStoreError` (invalid). */
export function putContext(database: Database, { number }: MemoryRow, context: string, now: number): void {
  const content = atMost(context, "the context", LIMITS.context);
  database.run("INSERT INTO contexts (memory, created_at, content) VALUES (?, ?, ?)", [number, now, content]);
}

/** The newest context; undefined if there is none. */
export const newestContext = (database: Database, { number }: MemoryRow): string | undefined =>
  database
    .query<{ readonly content: string }, [number]>(
      "SELECT content FROM contexts WHERE memory = ? ORDER BY number DESC LIMIT 1",
    )
    .get(number)?.content;
