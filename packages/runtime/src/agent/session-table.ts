import { AgentClosedError } from "./agent-closed-error.ts";
import type { LocalSession } from "./session.ts";

/** Sessions that stay open although nothing of them runs and nobody reads their events. */
const MAX_IDLE = 16;

/**
 * The sessions of an agent in this process, one object for each id. Those in use are kept, and of the others the last few; the
 * rest are released, and forgotten once no caller has them any more.
 */
export class SessionTable {
  readonly #make: (id: string) => LocalSession;
  readonly #known = new Map<string, WeakRef<LocalSession>>();
  /** In the order of their last use. */
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

  /** The sessions that were used and not forgotten. */
  get used(): readonly LocalSession[] {
    return [...this.#used.values()];
  }

  /** Keeps a session that is used now, and releases the one that was not used for longest if too many are idle. */
  use(session: LocalSession): void {
    this.#used.delete(session.id);
    this.#used.set(session.id, session);
    if (this.#used.size > MAX_IDLE) this.releaseIdle();
  }

  /** Releases the sessions beyond the last few that nobody uses. */
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

/** The agent is closed, which releases all sessions that are in use. */
function onClosing(error: unknown): void {
  if (!(error instanceof AgentClosedError)) throw error;
}
