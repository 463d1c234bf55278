import type { Database } from "bun:sqlite";
import { MemoryStoreError } from "../memory-store-error.ts";

/** A change of the tables, which runs in a transaction. */
export type Migration = (database: Database) => void;

const createTables: Migration = (database) => {
  database.run(`CREATE TABLE vaults (
    vault_id TEXT PRIMARY KEY, title TEXT NOT NULL UNIQUE, description TEXT, created_at INTEGER NOT NULL
  ) WITHOUT ROWID`);
  database.run(`CREATE TABLE memories (
    number INTEGER PRIMARY KEY AUTOINCREMENT, memory_id TEXT NOT NULL UNIQUE,
    vault_id TEXT NOT NULL REFERENCES vaults (vault_id), entry_count INTEGER NOT NULL DEFAULT 0,
    title TEXT NOT NULL, memory_type TEXT NOT NULL, description TEXT, created_at INTEGER NOT NULL,
    UNIQUE (vault_id, title)
  )`);
  // Numbers are never reused, so that the index cannot refer to another entry. `position` counts within a session.
  database.run(`CREATE TABLE entries (
    number INTEGER PRIMARY KEY AUTOINCREMENT, memory INTEGER NOT NULL REFERENCES memories (number),
    entry_id TEXT NOT NULL, created_at INTEGER NOT NULL, session TEXT NOT NULL, position INTEGER NOT NULL,
    source TEXT, summary TEXT NOT NULL, raw_entry TEXT NOT NULL, tags TEXT NOT NULL,
    UNIQUE (memory, entry_id)
  )`);
  database.run("CREATE INDEX entries_by_time ON entries (memory, created_at, number)");
  database.run("CREATE INDEX entries_by_position ON entries (memory, session, position)");
  database.run("CREATE INDEX entries_by_source ON entries (memory, source) WHERE source IS NOT NULL");
  database.run(`CREATE TABLE contexts (
    number INTEGER PRIMARY KEY AUTOINCREMENT, memory INTEGER NOT NULL REFERENCES memories (number),
    created_at INTEGER NOT NULL, content TEXT NOT NULL
  )`);
  database.run("CREATE INDEX contexts_by_memory ON contexts (memory, number)");
  database.run("CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
  // The terms of speakers' names.
  database.run(
    "CREATE TABLE speakers (memory INTEGER NOT NULL, term TEXT NOT NULL, PRIMARY KEY (memory, term)) WITHOUT ROWID",
  );
  // Terms are normalized already (`search/index-text.ts`); the tokenizer only separates them.
  database.run(`CREATE TABLE entry_terms (
    number INTEGER PRIMARY KEY, text TEXT NOT NULL, summary TEXT NOT NULL, speaker TEXT NOT NULL, asks INTEGER NOT NULL
  )`);
  database.run(`CREATE VIRTUAL TABLE entry_index USING fts5 (
    text, summary, speaker, content = 'entry_terms', content_rowid = 'number',
    tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
  )`);
  database.run("INSERT INTO entry_index (entry_index, rank) VALUES ('secure-delete', 1)");
  // As 32-bit floats; `model` names what made it. Plain blobs, so that a process without sqlite-vec can delete them.
  database.run(`CREATE TABLE vectors (
    number INTEGER PRIMARY KEY REFERENCES entries (number), model TEXT NOT NULL, vector BLOB NOT NULL
  )`);
  // The different words of a memory, found by three characters in sequence.
  database.run(
    "CREATE TABLE words (number INTEGER PRIMARY KEY, memory INTEGER NOT NULL, word TEXT NOT NULL, UNIQUE (memory, word))",
  );
  database.run(
    "CREATE VIRTUAL TABLE word_parts USING fts5 (word, content = 'words', content_rowid = 'number', tokenize = 'trigram')",
  );
  database.run("INSERT INTO word_parts (word_parts, rank) VALUES ('secure-delete', 1)");
  database.run(`CREATE TRIGGER word_added AFTER INSERT ON words
    BEGIN INSERT INTO word_parts (rowid, word) VALUES (new.number, new.word); END`);
  database.run(`CREATE TRIGGER word_removed AFTER DELETE ON words
    BEGIN INSERT INTO word_parts (word_parts, rowid, word) VALUES ('delete', old.number, old.word); END`);
};

/** All migrations, oldest first. A file's version is the number of migrations applied. */
const MIGRATIONS: readonly Migration[] = [createTables];

/** Applies the missing migrations in one transaction. Throws `MemoryStoreError` for a file of a newer version. */
export function migrate(database: Database, migrations: readonly Migration[] = MIGRATIONS): void {
  if (versionOf(database) === migrations.length) return;
  const apply = database.transaction(() => {
    // Another process may have migrated it first.
    const version = versionOf(database);
    if (version > migrations.length) throw tooNew(version);
    for (const migration of migrations.slice(version)) migration(database);
    database.run(`PRAGMA user_version = ${migrations.length}`);
  });
  apply.immediate();
}

const versionOf = (database: Database): number =>
  database.query<{ readonly user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;

const tooNew = (version: number): MemoryStoreError =>
  new MemoryStoreError(
    "unavailable",
    `the memory was written by a newer version of mdx-ai (format ${version}); update mdx-ai`,
  );

/** Problems of a database as sentences; empty if there are none. Checks pages, references, and that index and entries agree. */
export function verifyDatabase(database: Database): readonly string[] {
  const pages = database.query<{ readonly integrity_check: string }, []>("PRAGMA integrity_check").all();
  const damage = pages.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok");
  const references = database.query("PRAGMA foreign_key_check").all();
  return [
    ...damage.map((text) => `the file is damaged: ${text}`),
    ...(references.length === 0 ? [] : [`${references.length} rows belong to a memory that is missing`]),
    ...counted(
      database,
      "entries are not in the index",
      "SELECT number FROM entries EXCEPT SELECT number FROM entry_terms",
    ),
    ...counted(
      database,
      "rows of the index have no entry",
      "SELECT number FROM entry_terms EXCEPT SELECT number FROM entries",
    ),
    ...indexDamage(database, "entry_index"),
    ...indexDamage(database, "word_parts"),
  ];
}

function counted(database: Database, what: string, rows: string): readonly string[] {
  const count = database.query<{ readonly count: number }, []>(`SELECT COUNT(*) AS count FROM (${rows})`).get()?.count;
  return count ? [`${count} ${what}`] : [];
}

function indexDamage(database: Database, index: string): readonly string[] {
  try {
    database.run(`INSERT INTO ${index} (${index}, rank) VALUES ('integrity-check', 1)`);
    return [];
  } catch (error) {
    return [`the index is damaged: ${error instanceof Error ? error.message : String(error)}`];
  }
}
