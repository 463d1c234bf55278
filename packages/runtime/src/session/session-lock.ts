import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";

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
  /** ISO 8601. */
  readonly since: string;
}

/**
 * Takes the lock of a session, also one that a dead process left behind; the returned function gives it back.
 * Throws `SessionInUseError`, or what the file system says.
 */
export function lockSession(path: string, id: string, now: number): () => void {
  const own = `${path}.${process.pid}-${crypto.randomUUID()}`;
  const text = JSON.stringify({ pid: process.pid, since: new Date(now).toISOString() } satisfies LockHolder);
  writeFileSync(own, text, { mode: 0o600, flag: "wx" });
  try {
    while (!tryLink(own, path)) evictDead(path, id);
  } finally {
    rmSync(own, { force: true });
  }
  return () => {
    if (readText(path) === text) rmSync(path, { force: true });
  };
}

/** Whether the lock is ours now: a link fails where the name exists, in one atomic step. */
function tryLink(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (isCode(error, "EEXIST")) return false;
    throw error;
  }
}

/** Removes the lock of a dead process. What was renamed away is looked at again, since another may have been faster. */
function evictDead(path: string, id: string): void {
  const seen = readText(path);
  if (seen === undefined) return;
  const holder = parseHolder(seen);
  if (holder && isAlive(holder.pid)) throw new SessionInUseError(id, holder);
  const aside = `${path}.dead-${crypto.randomUUID()}`;
  try {
    renameSync(path, aside);
    if (readText(aside) !== seen) tryLink(aside, path);
  } catch (error) {
    if (!isCode(error, "ENOENT")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (isCode(error, "ENOENT")) return undefined;
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
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "since" in value &&
  typeof value.since === "string";

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;
