import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { errorCode } from "../files/error-code.ts";
import { readWholeFile } from "../files/read-whole-file.ts";
import { isRecord } from "../record.ts";
import { isRunning, processBirth } from "./process-birth.ts";

/** Another process holds the session. */
export class SessionInUseError extends Error {
  override readonly name = "SessionInUseError";

  constructor(id: string, holder: LockHolder) {
    super(
      `session ${id} is in use by process ${holder.pid} since ${holder.since}; wait for it, or use another session with --session NAME`,
    );
  }
}

interface LockHolder {
  readonly pid: number;
  /** Tells the process from a later one of the same number, where the system knows. */
  readonly birth?: string | undefined;
  /** ISO 8601. */
  readonly since: string;
}

/**
 * Takes the lock of a session, also one that a dead process left behind; the returned function gives it back
 * and never throws: a lock that cannot be removed is taken over when this process has ended.
 * Throws `SessionInUseError`, or what the file system says.
 */
export function lockSession(path: string, id: string, now: number): () => void {
  const own = `${path}.${process.pid}-${crypto.randomUUID()}`;
  const { pid } = process;
  const holder: LockHolder = { pid, birth: processBirth(pid), since: new Date(now).toISOString() };
  const text = JSON.stringify(holder);
  try {
    writeFileSync(own, text, { mode: 0o600, flag: "wx" });
    while (!tryLink(own, path)) evictDead(path, id);
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    try {
      if (readText(path) === text) rmSync(path, { force: true });
    } catch {
      // Left for the next one.
    }
  };
}

/** Whether the lock is ours now: a link fails where the name exists, in one atomic step. */
function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a dead process. What was renamed away is looked at again, since another may have been faster. */
function evictDead(path: string, id: string): void {
  const seen = readText(path);
  if (seen === undefined) return;
  const holder = parseHolder(seen);
  if (holder && isRunning(holder.pid, holder.birth)) throw new SessionInUseError(id, holder);
  const aside = `${path}.dead-${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== seen) tryLink(aside, path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function readText(path: string): string | undefined {
  try {
    return readWholeFile(path).toString("utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** An unreadable lock counts as left behind: its writer writes it whole before it is linked. */
function parseHolder(text: string): LockHolder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isHolder = (value: unknown): value is LockHolder =>
  isRecord(value) &&
  Number.isSafeInteger(value["pid"]) &&
  (value["birth"] === undefined || typeof value["birth"] === "string") &&
  typeof value["since"] === "string";
