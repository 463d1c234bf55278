import { ephemeralSession } from "../session/ephemeral-session.ts";
import type { Session } from "../session/session.ts";
import { checkSessionId } from "../session/session-id.ts";
import { openStoredSession, type StoredSessionOptions } from "../session/stored-session.ts";

/** The sessions that an agent holds: each is opened at its first use and held until the agent closes. */
export class OpenSessions {
  readonly #open = new Map<string, Session>();
  readonly #make: (id: string) => Session;

  /** Without options the sessions live in memory. */
  constructor(options: Omit<StoredSessionOptions, "id"> | undefined) {
    this.#make = (id) => (options ? openStoredSession({ ...options, id }) : ephemeralSession(id));
  }

  /** Throws `SessionIdError`, `SessionInUseError` or `JournalError`. */
  get(id: string): Session {
    checkSessionId(id);
    const session = this.#open.get(id) ?? this.#make(id);
    this.#open.set(id, session);
    return session;
  }

  /** Closes a session, where it is open; its next use opens it again. */
  release(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  close(): void {
    for (const session of this.#open.values()) session.close();
    this.#open.clear();
  }
}
