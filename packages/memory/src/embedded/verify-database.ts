import type { Database } from "bun:sqlite";

/** What is wrong with a database, in sentences; none if all is well. Checks pages, references, and that entries and index agree. */
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
    ...indexDamage(database),
  ];
}

function counted(database: Database, what: string, rows: string): readonly string[] {
  const count = database.query<{ readonly count: number }, []>(`SELECT COUNT(*) AS count FROM (${rows})`).get()?.count;
  return count ? [`${count} ${what}`] : [];
}

function indexDamage(database: Database): readonly string[] {
  try {
    database.run("INSERT INTO entry_index (entry_index, rank) VALUES ('integrity-check', 1)");
    return [];
  } catch (error) {
    return [`the index is damaged: ${error instanceof Error ? error.message : String(error)}`];
  }
}
