import type { Database } from "bun:sqlite";
import { createIndexer, INDEX_VERSION, memoryTerm } from "../search/index-text.ts";
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
  const insertWords = database.query(
    "INSERT OR IGNORE INTO words (memory, word) SELECT ?1, value FROM json_each(?2) WHERE length(value) >= 3",
  );
  return (memory, number, entry) => {
    const { text, summary, speaker, asks } = indexed(memory, entry);
    insertTerms.run(number, text, summary, speaker, asks ? 1 : 0);
    insert.run(number, text, summary, speaker);
    insertWords.run(memory, JSON.stringify(wordsIn(memory, [text, summary])));
    for (const name of speaker.split(" ")) if (name !== "") insertSpeaker.run(memory, name);
  };
}

const INSERT_SPEAKER = "INSERT OR IGNORE INTO speakers (memory, term) VALUES (?, ?)";

/** The different words of indexed texts, without the tag of the memory. */
function wordsIn(memory: number, texts: readonly string[]): readonly string[] {
  const tag = memoryTerm(memory, "").length;
  return [...new Set(texts.flatMap((text) => text.split(" ")))].map((term) => term.slice(tag));
}

/** Removes entries from the index, and words and speakers that occur in no other entry. */
export function removeFromIndex(database: Database, memory: number, numbers: readonly number[]): void {
  const removed = new Set<string>();
  for (const number of numbers) {
    const terms = database
      .query<{ readonly text: string; readonly summary: string }, [number]>(
        "SELECT text, summary FROM entry_terms WHERE number = ?",
      )
      .get(number);
    for (const word of wordsIn(memory, [terms?.text ?? "", terms?.summary ?? ""])) removed.add(word);
    // The index reads the terms that it removes.
    database.query("DELETE FROM entry_index WHERE rowid = ?").run(number);
    database.query("DELETE FROM entry_terms WHERE number = ?").run(number);
  }
  for (const word of removed) {
    const left = database.query("SELECT 1 FROM entry_index WHERE entry_index MATCH ? LIMIT 1");
    if (left.get(`{text summary} : "${memoryTerm(memory, word)}"`) === null)
      database.query("DELETE FROM words WHERE memory = ? AND word = ?").run(memory, word);
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
  database.run("DELETE FROM words");
  const rows = database.query<EntryRow & { readonly memory: number }, []>(
    `SELECT e.memory, ${ENTRY_COLUMNS} FROM entries e JOIN memories m ON m.number = e.memory ORDER BY e.number`,
  );
  for (const row of rows.iterate()) index(row.memory, row.number, entryOf(row));
}

const versionOf = (database: Database): string | undefined =>
  database.query<{ readonly value: string }, [string]>("SELECT value FROM facts WHERE name = ?").get(VERSION)?.value;
