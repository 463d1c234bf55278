import { existsSync } from "node:fs";
import { join } from "node:path";
import { dataLayout, systemClock } from "@mdx-ai/base";
import { listSessions, type SessionCatalog } from "./catalog.ts";
import { deleteSession, forkSession, renameSession } from "./change-session.ts";
import { ephemeralSession } from "./ephemeral-session.ts";
import type { OpenedSession } from "./session.ts";
import { UnknownSessionError } from "./session-folder.ts";
import { openStoredSession, type StoredSessionOptions } from "./stored-session.ts";

/** Where the sessions of an agent are kept. */
export interface SessionStore {
  /** Whether a session outlives its release. */
  readonly isDurable: boolean;
  has(id: string): boolean;
  /** Opens or makes a session for this process alone. Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
  open(id: string): OpenedSession;
  /** Lists the sessions without opening them. Throws `JournalError`. */
  list(): SessionCatalog;
  /** Removes a session with all that it said. Throws `SessionIdError`, `UnknownSessionError`, `SessionInUseError` or `JournalError`. */
  delete(id: string): void;
  /** Renames a session that no process uses. Throws as `renameSession` does. */
  rename(from: string, to: string): void;
  /** Copies a session that no process uses up to a prompt; resolves to the prompt's number. Rejects as `forkSession` does. */
  fork(from: string, to: string, at: number | undefined): Promise<number>;
}

/** Keeps sessions in memory until they are released. */
export const memoryStore: SessionStore = {
  isDurable: false,
  has: () => false,
  open: ephemeralSession,
  list: () => ({ sessions: [], skipped: [] }),
  delete(id) {
    throw new UnknownSessionError(id);
  },
  rename(id) {
    throw new UnknownSessionError(id);
  },
  async fork(id) {
    throw new UnknownSessionError(id);
  },
};

/** Where a store has its folders, and how it opens sessions. Warnings are dropped, and nothing is redacted, by default. */
export interface FileStoreOptions extends Partial<Omit<StoredSessionOptions, "id" | "policy" | "directory">> {
  /** Absolute. */
  readonly dataDirectory: string;
}

/** Keeps each session as a folder of a data directory. */
export function fileStore({ dataDirectory, ...given }: FileStoreOptions): SessionStore {
  const { sessions: directory } = dataLayout(dataDirectory);
  const options = { clock: systemClock, onWarning: () => {}, ...given };
  return {
    isDurable: true,
    has: (id) => existsSync(join(directory, id)),
    open: (id) => openStoredSession({ ...options, directory, id }),
    list: () => listSessions(dataDirectory),
    delete: (id) => deleteSession(dataDirectory, id, options.clock.now()),
    rename: (from, to) => renameSession(dataDirectory, { from, to, now: options.clock.now() }),
    fork: (from, to, at) =>
      forkSession(dataDirectory, { from, to, at, now: options.clock.now(), onWarning: options.onWarning }),
  };
}
