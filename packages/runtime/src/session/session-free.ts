import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lockHolder } from "../lock/file-lock.ts";
import { holderText } from "../lock/lock-holder.ts";
import { sessionFolder } from "./session-folder.ts";
import { UnknownSessionError } from "./unknown-session-error.ts";

/** How often a lock is looked at, in milliseconds. */
const INTERVAL = 200;

export interface WaitOptions {
  /** Where it fires, nobody waits any longer. */
  readonly signal: AbortSignal;
  /** Told once who holds the session, such as "process 123 since 2026-04-28T10:00:00Z", where it is not free at once. */
  readonly onHolder: (holder: string) => void;
}

/**
 * Resolves when no other process holds a session, or `signal` fires. Another one may still be faster to take it then.
 * Rejects with `SessionIdError`, `JournalError` at a symbolic link, or what the file system says.
 */
export async function sessionFree(dataDir: string, id: string, { signal, onHolder }: WaitOptions): Promise<void> {
  let isTold = false;
  for (let holder = sessionHolder(dataDir, id); holder !== undefined; holder = sessionHolder(dataDir, id)) {
    if (!isTold) onHolder(holder);
    isTold = true;
    await sleep(INTERVAL, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
  }
}

/** Which process holds a session, for people; undefined where none does, or there is no such session. */
export function sessionHolder(dataDir: string, id: string): string | undefined {
  const folder = folderOf(dataDir, id);
  const holder = folder === undefined ? undefined : lockHolder(join(folder, "lock"));
  return holder && holderText(holder);
}

function folderOf(dataDir: string, id: string): string | undefined {
  try {
    return sessionFolder(dataDir, id);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}
