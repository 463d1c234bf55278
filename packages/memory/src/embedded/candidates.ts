import type { Database } from "bun:sqlite";
import { likenessOf } from "../search/alike.ts";
import type { Candidate } from "../search/candidate.ts";
import { memoryTerm } from "../search/index-text.ts";
import type { Question } from "../search/question.ts";
import type { Collection } from "../search/rank.ts";
import { WEIGHTS } from "../search/weights.ts";
import type { MemoryCache } from "./memory-cache.ts";
import type { MemoryRow } from "./rows.ts";

/** Up to this many entries, all of a memory are ranked. */
const WHOLE = 1_000;
/** Entries that the index proposes; fewer in a large memory, which has many similar ones. */
const PROPOSED = { small: 400, large: 48 };
const LARGE = 20_000;
/** Index rows that a search may read: common terms cost much and add little. */
const MAX_READ = 4_000;
/** Words like a term of the question are looked up if fewer entries than this contain the term. */
const RARE = 20;
/** Words of the memory that are compared with a term. */
const MAX_ALIKE = 200;

interface CandidateRow {
  readonly number: number;
  readonly session: string;
  readonly position: number;
  readonly created_at: number;
  readonly asks: number;
  readonly text: string;
  readonly summary: string;
  readonly speaker: string;
}

const COLUMNS = "e.number, e.session, e.position, e.created_at, t.asks, t.text, t.summary, t.speaker";
const FROM = `SELECT ${COLUMNS} FROM entries e JOIN entry_terms t ON t.number = e.number`;

/** The facts about a memory that choosing candidates needs. */
type Known = Pick<Collection, "having" | "speakers">;

/** Chooses which entries of a memory are ranked. */
export class Candidates {
  readonly #database: Database;
  readonly #memory: MemoryRow;
  readonly #cache: MemoryCache;

  constructor(database: Database, memory: MemoryRow, cache: MemoryCache) {
    this.#database = database;
    this.#memory = memory;
    this.#cache = cache;
  }

  /** The entries that the index proposes for a question, with their neighbours; all entries of a small memory. */
  of(question: Question, known: Known): readonly Candidate[] {
    const { number, entry_count: size } = this.#memory;
    if (size <= WHOLE) return this.#read(this.#numbers("SELECT number FROM entries WHERE memory = ?", [number]));
    const most = size > LARGE ? PROPOSED.large : PROPOSED.small;
    const proposed = [...this.#byWords(question, known, most), ...this.#byTime(question, most / 4)];
    const chosen = this.#numbers(
      `SELECT DISTINCT n.number FROM json_each(?) proposed JOIN entries p ON p.number = proposed.value
      JOIN entries n ON n.memory = p.memory AND n.session = p.session AND n.position BETWEEN p.position - 2 AND p.position + 2`,
      [JSON.stringify(proposed)],
    );
    return this.#read(chosen);
  }

  #byWords(question: Question, { having, speakers }: Known, most: number): readonly number[] {
    const asked = [...question.terms];
    const subjects = asked.filter((term) => !speakers.has(term));
    const said = (terms: readonly string[]): readonly string[] => terms.filter((term) => having(term) > 0);
    const known = said(subjects).length > 0 ? said(subjects) : said(asked);
    const alike = subjects.filter((term) => having(term) < RARE).flatMap((term) => this.#alike(term));
    return [
      ...this.#having(rarest(known, having), having, most),
      ...this.#having(rarest(alike, having), having, most / 4),
    ];
  }

  #having(terms: readonly string[], having: Known["having"], most: number): readonly number[] {
    if (terms.length === 0) return [];
    const match = terms.map((term) => `"${memoryTerm(this.#memory.number, term)}"`);
    // For a question with common terms only, the newest entries that contain them are enough.
    const isCommon = terms.length === 1 && terms.every((term) => having(term) > MAX_READ);
    const order = isCommon ? "rowid DESC" : `bm25(entry_index, 1, ${WEIGHTS.summary}, ${WEIGHTS.nameInText})`;
    return this.#numbers(
      `SELECT rowid AS number FROM entry_index WHERE entry_index MATCH ? ORDER BY ${order} LIMIT ?`,
      [match.join(" OR "), Math.floor(most)],
    );
  }

  /** Words of the memory that are like a term, by the characters that they share. */
  #alike(term: string): readonly string[] {
    const { number } = this.#memory;
    const longer = `SELECT w.word FROM word_parts p JOIN words w ON w.number = p.rowid
      WHERE word_parts MATCH ? AND w.memory = ? ORDER BY p.rank LIMIT ${MAX_ALIKE}`;
    const shorter = "SELECT word FROM words WHERE memory = ? AND word IN (SELECT value FROM json_each(?))";
    const { isAlike, parts, within } = likenessOf(term);
    const match = parts.map((part) => `"${part}"`).join(" OR ");
    const words = [
      ...(match === "" ? [] : this.#words(longer, [match, number])),
      ...this.#words(shorter, [number, JSON.stringify(within)]),
    ];
    return words.filter(isAlike);
  }

  #words(query: string, values: readonly (string | number)[]): readonly string[] {
    return this.#database
      .query<{ readonly word: string }, (string | number)[]>(query)
      .all(...values)
      .map(({ word }) => word);
  }

  /** The newest entries in the time ranges of the question. */
  #byTime({ times }: Question, most: number): readonly number[] {
    return times.flatMap(({ from, to }) =>
      this.#numbers(
        `SELECT number FROM entries WHERE memory = ? AND created_at >= ? AND created_at < ?
        ORDER BY created_at DESC, number DESC LIMIT ?`,
        [this.#memory.number, from, to, most],
      ),
    );
  }

  #numbers(query: string, values: readonly (string | number)[]): readonly number[] {
    return this.#database
      .query<{ readonly number: number }, (string | number)[]>(query)
      .all(...values)
      .map(({ number }) => number);
  }

  #read(numbers: readonly number[]): readonly Candidate[] {
    const unread = numbers.filter((number) => this.#cache.candidates.get(number) === undefined);
    if (unread.length > 0) {
      const rows = this.#database.query<CandidateRow, [string]>(
        `${FROM} WHERE e.number IN (SELECT value FROM json_each(?))`,
      );
      for (const row of rows.all(JSON.stringify(unread)))
        this.#cache.candidates.set(row.number, this.#candidateOf(row));
    }
    return numbers.flatMap((number) => this.#cache.candidates.get(number) ?? []);
  }

  #candidateOf({ created_at: createdAt, asks, text, summary, speaker, ...row }: CandidateRow): Candidate {
    const { vocabulary } = this.#cache;
    const said = vocabulary.numbers(text);
    return {
      ...row,
      createdAt,
      asks: asks === 1,
      hasTime: vocabulary.hasTime(said),
      hasNumber: vocabulary.hasNumber(said),
      text: said,
      summary: vocabulary.numbers(summary),
      speaker: vocabulary.numbers(speaker),
    };
  }
}

/** The rarest terms that together stay below the row limit; always at least one. */
function rarest(terms: readonly string[], having: (term: string) => number): readonly string[] {
  let rows = 0;
  return [...new Set(terms)]
    .sort((a, b) => having(a) - having(b))
    .filter((term, at) => {
      rows += having(term);
      return at === 0 || rows <= MAX_READ;
    });
}
