import type { Database } from "bun:sqlite";
import { createIndexer, INDEX_VERSION } from "../search/index-text.ts";
import { ENTRY_COLUMNS, type EntryRow, entryOf } from "./rows.ts";

const VERSION = "index_version";

/** Adds an entry to the full-text index. Takes the numbers of the memory and the entry. */
export type IndexEntry = (memory: number, number: number, entry: ReturnType<typeof entryOf>) => void;

export function indexEntries(database: Database, term: (word: string) => string): IndexEntry {
  const indexed = createIndexer(term);
  const insertTerms = database.query(
    "INSERT INTO entry_terms (number, text, summary, speaker, asks) VALUES (?, ?, ?, ?, ?)",
  );
  const insert = database.query("INSERT INTO entry_index (rowid, text, summary, speaker) VALUES (?, ?, ?, ?)");
  const insertSpeaker = database.query(INSERT_SPEAKER);
  return (memory, number, entry) => {
    const { text, summary, speaker, asks } = indexed(memory, entry);
    insertTerms.run(number, text, summary, speaker, asks ? 1 : 0);
    insert.run(number, text, summary, speaker);
    for (const name of speaker.split(" ")) if (name !== "") insertSpeaker.run(memory, name);
  };
}

const INSERT_SPEAKER = "INSERT OR IGNORE INTO speakers (memory, term) VALUES (?, ?)";

/** Removes entries from the index, and speakers who have no other entry. */
export function removeFromIndex(database: Database, memory: number, numbers: readonly number[]): void {
  for (const number of numbers) {
    // The index reads the terms that it removes.
    database.query("DELETE FROM entry_index WHERE rowid = ?").run(number);
    database.query("DELETE FROM entry_terms WHERE number = ?").run(number);
  }
  database.query("DELETE FROM speakers WHERE memory = ?").run(memory);
  const speakers = database.query<{ readonly speaker: string }, [number]>(
    "SELECT DISTINCT t.speaker FROM entries e JOIN entry_terms t ON t.number = e.number WHERE e.memory = ?",
  );
  const names = speakers.all(memory).flatMap(({ speaker }) => speaker.split(" "));
  for (const name of names) if (name !== "") database.query(INSERT_SPEAKER).run(memory, name);
}

/** Indexes all entries again if another index version wrote them. */
export function updateIndex(database: Database, index: IndexEntry): void {
  if (versionOf(database) === `${INDEX_VERSION}`) return;
  database
    .transaction(() => {
      if (versionOf(database) === `${INDEX_VERSION}`) return;
      rebuild(database, index);
      database.run("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", [VERSION, `${INDEX_VERSION}`]);
    })
    .immediate();
}

function rebuild(database: Database, index: IndexEntry): void {
  database.run("INSERT INTO entry_index (entry_index) VALUES ('delete-all')");
  database.run("DELETE FROM entry_terms");
  database.run("DELETE FROM speakers");
  const rows = database.query<EntryRow & { readonly memory: number }, []>(
    `SELECT e.memory, ${ENTRY_COLUMNS} FROM entries e JOIN memories m ON m.number = e.memory ORDER BY e.number`,
  );
  for (const row of rows.iterate()) index(row.memory, row.number, entryOf(row));
}

const versionOf = (database: Database): string | undefined =>
  database.query<{ readonly value: string }, [string]>("SELECT value FROM facts WHERE name = ?").get(VERSION)?.value;
