import { MemoryStoreError, type MemoryStoreProblem } from "../memory-store-error.ts";

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
