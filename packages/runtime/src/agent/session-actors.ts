import { existsSync } from "node:fs";
import { join } from "node:path";
import { Semaphore } from "@mdx-ai/base";
import { ephemeralSession } from "../session/ephemeral-session.ts";
import type { Session } from "../session/session.ts";
import { checkSessionId } from "../session/session-folder.ts";
import { openStoredSession, type StoredSessionOptions } from "../session/stored-session.ts";
import type { AgentEvent } from "../types/event.ts";
import { SessionActor, type SessionActorParts } from "./session-actor.ts";

export interface SessionActorsParts extends Omit<SessionActorParts, "id" | "open" | "slots" | "replay"> {
  /** Without it the sessions live in memory. */
  readonly stored: Omit<StoredSessionOptions, "id" | "policy"> | undefined;
}

/** Sessions of an agent that may run side by side, if the settings do not say. */
const DEFAULT_SLOTS = 8;

/** The sessions of an agent in this process. Each is opened at its first use and held until it is released. */
export class SessionActors {
  readonly #parts: SessionActorsParts;
  readonly #slots: Semaphore;
  readonly #actors = new Map<string, SessionActor>();
  readonly #open = new Map<string, Session>();
  #isClosed = false;

  constructor(parts: SessionActorsParts) {
    this.#parts = parts;
    this.#slots = new Semaphore(parts.current.options.directory.definition.settings.limits?.sessions ?? DEFAULT_SLOTS);
  }

  /** Throws `SessionIdError`. */
  get(id: string): SessionActor {
    const known = this.#actors.get(id);
    if (known) return known;
    checkSessionId(id);
    const parts = { ...this.#parts, id, slots: this.#slots };
    const actor = new SessionActor({
      ...parts,
      open: () => this.#session(id),
      replay: (after) => this.#replay(id, after),
    });
    this.#actors.set(id, actor);
    if (this.#isClosed) actor.events.close();
    return actor;
  }

  /** A session that is open; undefined if it is not, or not any more. */
  opened(id: string): Session | undefined {
    return this.#open.get(id);
  }

  /** Closes a session once its prompts have ended, if it is open; its next use opens it again. */
  async release(id: string, settle: () => Promise<void>): Promise<void> {
    await this.#actors.get(id)?.inTurn(async () => {
      await settle();
      this.#closeOne(id);
    });
  }

  /** Resolves when no prompt runs or waits. */
  async settled(): Promise<void> {
    await Promise.all([...this.#actors.values()].map((actor) => actor.settled()));
  }

  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#open.keys()]) this.#closeOne(id);
    for (const actor of this.#actors.values()) actor.events.close();
  }

  #closeOne(id: string): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
  }

  #session(id: string): Session {
    const known = this.#open.get(id);
    if (known) return known;
    const { stored } = this.#parts;
    const session = stored ? openStoredSession({ ...stored, id }) : ephemeralSession(id);
    this.#open.set(id, session);
    return session;
  }

  /** The events of the prompts on disk, and of those that an earlier process left unfinished. */
  async *#replay(id: string, after: string): AsyncGenerator<AgentEvent, void, undefined> {
    const { stored } = this.#parts;
    if (!stored || !existsSync(join(stored.directory, id))) return;
    const { recordedEvents } = await import("../recording/recorded-events.ts");
    const { directory, dataDirectory } = this.#parts.current.options;
    yield* recordedEvents(directory, { session: id, dataDirectory }, after);
  }
}
