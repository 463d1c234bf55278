import { AgentClosedError } from "../agent-closed-error.ts";
import type { LocalSession } from "./session.ts";

/** How many idle sessions stay open. */
const MAX_IDLE = 16;

/**
 * The sessions of an agent in this process, one object for each id. Sessions in use and a few recent ones are kept; the
 * rest are released, and garbage-collected once no caller refers to them.
 */
export class SessionTable {
  readonly #make: (id: string) => LocalSession;
  readonly #known = new Map<string, WeakRef<LocalSession>>();
  /** In the order of last use. */
  readonly #used = new Map<string, LocalSession>();
  readonly #forgotten = new FinalizationRegistry<string>((id) => {
    if (this.#known.get(id)?.deref() === undefined) this.#known.delete(id);
  });

  constructor(make: (id: string) => LocalSession) {
    this.#make = make;
  }

  get(id: string): LocalSession {
    const known = this.#known.get(id)?.deref();
    if (known !== undefined) return known;
    const made = this.#make(id);
    this.#known.set(id, new WeakRef(made));
    this.#forgotten.register(made, id);
    return made;
  }

  /** The sessions that were used and are still referenced. */
  get used(): readonly LocalSession[] {
    return [...this.#used.values()];
  }

  /** Keeps the session with this id, which is used now. If too many are idle, releases the least recently used one. */
  use(id: string): void {
    const session = this.#known.get(id)?.deref();
    if (session === undefined) return;
    this.#used.delete(id);
    this.#used.set(id, session);
    if (this.#used.size > MAX_IDLE) this.releaseIdle();
  }

  /** Releases idle sessions beyond the limit, the least recently used first. */
  releaseIdle(): void {
    const idle = this.used.filter(({ isIdle }) => isIdle);
    for (const session of idle.slice(0, Math.max(0, idle.length - MAX_IDLE))) {
      session.release().then(() => this.#forget(session), onClosing);
    }
  }

  #forget(session: LocalSession): void {
    if (session.isIdle && !session.isOpen) this.#used.delete(session.id);
  }
}

/** Call it when the agent is closed: releases all sessions in use. */
function onClosing(error: unknown): void {
  if (!(error instanceof AgentClosedError)) throw error;
}
