import type { Database } from "bun:sqlite";
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
type Known = Pick<Collection, "having" | "speakers" | "classes">;

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

  #byWords(question: Question, { having, speakers, classes }: Known, most: number): readonly number[] {
    const terms = [...question.terms.keys()].filter((term) => having(term) > 0);
    const subjects = terms.filter((term) => !speakers.has(term));
    const chosen = rarest(subjects.length > 0 ? subjects : terms, having);
    if (chosen.length === 0) return [];
    const members = subjects.flatMap((term) => [...(classes.get(term) ?? [])]);
    const further = this.#memory.entry_count > LARGE ? [] : rarest(members, having);
    const match = [...new Set([...chosen, ...further])].map((term) => `"${memoryTerm(this.#memory.number, term)}"`);
    // For a question with common terms only, the newest entries that contain them are enough.
    const isCommon = chosen.length === 1 && chosen.every((term) => having(term) > MAX_READ);
    const order = isCommon ? "rowid DESC" : `bm25(entry_index, 1, ${WEIGHTS.summary}, ${WEIGHTS.nameInText})`;
    return this.#numbers(
      `SELECT rowid AS number FROM entry_index WHERE entry_index MATCH ? ORDER BY ${order} LIMIT ?`,
      [match.join(" OR "), most],
    );
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
