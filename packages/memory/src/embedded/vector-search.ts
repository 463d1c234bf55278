import type { Database } from "bun:sqlite";
import { failureText, warnOfEachOnce } from "@mdx-ai/base";
import type { Embedder } from "@mdx-ai/models/embeddings";
import type { MemoryRow } from "./rows.ts";

export interface VectorOptions {
  readonly embedder: Embedder;
  /** The path of sqlite-vec's library. Absolute. */
  readonly extension: string;
  /** The path of an SQLite that loads extensions, for systems whose own does not. Absolute. */
  readonly sqlite?: string | undefined;
  /** Receives why vectors are missing: a search then uses words alone. */
  readonly onWarning: (message: string) => void;
}

/** Texts of one request, and the characters of each that are sent: models accept 8,000 tokens or fewer. */
const BATCH = 64;
const MAX_CHARACTERS = 4_000;
/** Entries that a search embeds first; it finds the others by their words. */
const MAX_BEFORE_SEARCH = 512;

/** Finds entries by the distance of their vectors from a question's, with `sqlite-vec`. Methods never reject: a failure is a warning. */
export class VectorSearch {
  readonly #database: Database;
  readonly #embedder: Embedder;
  readonly #warn: (message: string) => void;

  constructor(database: Database, { embedder, onWarning }: VectorOptions) {
    this.#database = database;
    this.#embedder = embedder;
    this.#warn = warnOfEachOnce(onWarning);
  }

  /** Embeds the entries of a memory that have no vector of this model, the newest first. */
  async complete(memory: MemoryRow, most: number = Number.POSITIVE_INFINITY): Promise<void> {
    await this.#attempt(async () => {
      for (let done = 0; done < most; done += BATCH) if (!(await this.#embedNext(memory))) return;
    });
  }

  /** The numbers of the nearest entries, nearest first; empty if there is no vector for the question. */
  async nearest(memory: MemoryRow, query: string, most: number): Promise<readonly number[]> {
    await this.complete(memory, MAX_BEFORE_SEARCH);
    const found = await this.#attempt(async () => {
      const [vector] = await this.#embedder.embed([query.slice(0, MAX_CHARACTERS)]);
      return vector === undefined ? [] : this.#near(memory, vector, most);
    });
    return found ?? [];
  }

  #near({ number }: MemoryRow, vector: Float32Array, most: number): readonly number[] {
    return this.#database
      .query<{ readonly number: number }, [Uint8Array, number, string, number, number]>(
        `SELECT v.number, vec_distance_cosine(v.vector, ?1) AS distance FROM vectors v JOIN entries e ON e.number = v.number
        WHERE e.memory = ?2 AND v.model = ?3 AND length(v.vector) = ?4 ORDER BY distance, v.number DESC LIMIT ?5`,
      )
      .all(bytesOf(vector), number, this.#embedder.name, vector.byteLength, most)
      .map((row) => row.number);
  }

  /** Returns whether there was an entry to embed. */
  async #embedNext({ number }: MemoryRow): Promise<boolean> {
    const rows = this.#database
      .query<{ readonly number: number; readonly raw_entry: string }, [number, string]>(
        `SELECT e.number, e.raw_entry FROM entries e LEFT JOIN vectors v ON v.number = e.number
        WHERE e.memory = ? AND v.model IS NOT ? ORDER BY e.number DESC LIMIT ${BATCH}`,
      )
      .all(number, this.#embedder.name);
    if (rows.length === 0) return false;
    const vectors = await this.#embedder.embed(rows.map(({ raw_entry }) => raw_entry.slice(0, MAX_CHARACTERS)));
    // Another process may have forgotten an entry in the meantime.
    const insert = this.#database.query(
      "INSERT OR REPLACE INTO vectors (number, model, vector) SELECT number, ?, ? FROM entries WHERE number = ?",
    );
    const store = this.#database.transaction(() => {
      for (const [at, vector] of vectors.entries())
        insert.run(this.#embedder.name, bytesOf(vector), rows[at]?.number ?? -1);
    });
    store.immediate();
    return true;
  }

  async #attempt<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#warn(`the memory searches by words alone: ${failureText(error)}`);
      return undefined;
    }
  }
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** Loads sqlite-vec; undefined, after a warning, if that is impossible. */
export function openVectorSearch(database: Database, options: VectorOptions): VectorSearch | undefined {
  try {
    database.loadExtension(options.extension);
    return new VectorSearch(database, options);
  } catch (error) {
    options.onWarning(`the memory searches by words alone: sqlite-vec cannot be loaded (${failureText(error)})`);
    return undefined;
  }
}
