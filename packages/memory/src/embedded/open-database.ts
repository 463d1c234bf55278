import type { Database } from "bun:sqlite";
import { closeSync, constants, fchmodSync, openSync } from "node:fs";
import { failureText } from "@mdx-ai/base";
import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";

/** Milliseconds that an operation waits for another process. Forgetting in a large store takes some seconds. */
const PATIENCE = 30_000;

/** Milliseconds between two attempts to begin using a file that another process is just creating. */
const PAUSE = 20;

/**
 * Opens a database file, which is created for its owner alone if it does not exist. What is written is on the disk when a
 * transaction has ended, and what is deleted is overwritten. Rejects with `MemoryStoreError`.
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

/** SQLite gives the files beside it the same mode. A link could lead out of the folder. */
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
    // Text that is sorted or rewritten must not reach the folder of temporary files.
    database.run("PRAGMA temp_store = MEMORY");
    database.run("PRAGMA cache_size = -64000");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What SQLite's errors mean for users. */
const MEANINGS: readonly (readonly [code: RegExp, problem: MemoryStoreProblem, text: string])[] = [
  [/^SQLITE_(BUSY|LOCKED)/, "busy", "another process is using the memory; try again"],
  [
    /^SQLITE_(CORRUPT|NOTADB)/,
    "damaged",
    "the memory is damaged; restore state/memory/memory.db from a backup or an export",
  ],
  [/^SQLITE_FULL/, "unavailable", "the disk is full; make room, then try again"],
  [/^SQLITE_(READONLY|PERM|AUTH|CANTOPEN)/, "unavailable", "the memory cannot be written; check its permissions"],
];

/** A failure of the database as an error for users; any other failure as it is. */
export function storeFailure(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!(error instanceof Error) || !code.startsWith("SQLITE_")) return error;
  const [, problem = "unavailable", text = "the memory cannot be used"] =
    MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  return new MemoryStoreError(problem, `${text} (${error.message})`, { cause: error });
}
