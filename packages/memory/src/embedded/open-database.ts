import type { Database } from "bun:sqlite";
import { closeSync, constants, fchmodSync, openSync } from "node:fs";
import { failureText } from "@mdx-ai/base";
import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";

/** Milliseconds that an operation waits for another process. Deleting from a large store takes seconds. */
const PATIENCE = 30_000;

/** Milliseconds between two attempts to open a file that another process is creating. */
const PAUSE = 20;

/** Uses another SQLite for all databases of this process, if none is open yet. Rejects with its error. */
export async function useLibrary(path: string): Promise<void> {
  const { Database } = await import("bun:sqlite");
  Database.setCustomSQLite(path);
}

/**
 * Opens a database file, or creates it with mode 600. A completed transaction is flushed, and deleted data is overwritten. Rejects with
 * `MemoryStoreError`.
 */
export async function openDatabase(path: string): Promise<Database> {
  claimFile(path);
  const { Database } = await import("bun:sqlite");
  const until = Date.now() + PATIENCE;
  for (;;) {
    try {
      return prepared(new Database(path, { create: true, readwrite: true, strict: true }));
    } catch (error) {
      const failure = storeFailure(error);
      const isBusy = failure instanceof MemoryStoreError && failure.problem === "busy";
      if (!isBusy || Date.now() > until) throw failure;
      await Bun.sleep(PAUSE);
    }
  }
}

/** SQLite creates its other files with the same mode. A link could lead outside the folder. */
function claimFile(path: string): void {
  try {
    const descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
    fchmodSync(descriptor, 0o600);
    closeSync(descriptor);
  } catch (cause) {
    throw new MemoryStoreError("unavailable", `cannot open the memory ${path}: ${failureText(cause)}`, { cause });
  }
}

function prepared(database: Database): Database {
  try {
    database.run(`PRAGMA busy_timeout = ${PATIENCE}`);
    database.run("PRAGMA journal_mode = WAL");
    database.run("PRAGMA synchronous = FULL");
    database.run("PRAGMA secure_delete = ON");
    database.run("PRAGMA foreign_keys = ON");
    // Text that is sorted or rewritten must not reach the temporary folder.
    database.run("PRAGMA temp_store = MEMORY");
    database.run("PRAGMA cache_size = -64000");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Messages for SQLite's errors. */
const MEANINGS: readonly (readonly [code: RegExp, problem: MemoryStoreProblem, text: string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "busy", "another process is using the memory; try again"],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    "damaged",
    "the memory is damaged; restore state/memory/memory.db from a backup or an export",
  ],
  [/^SQLITE_FULL/, "unavailable", "the disk is full; free some space, then try again"],
  [/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/, "unavailable", "the memory cannot be written; check its permissions"],
];

/** Converts a database failure into an error for users; other failures are unchanged. */
export function storeFailure(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || !code.startsWith("SQLITE_")) return error;
  const [, problem = "unavailable", text = "the memory cannot be used"] =
    MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  return new MemoryStoreError(problem, `${text} (${error.message})`, { cause: error });
}
