import type { AgentEvent } from "@mdx-ai/loop";

/** Events that may wait for a reader. Beyond, its updates are dropped: the finished message follows in any case. */
const MAX_WAITING = 65_536;

/** Carries events to one reader, who may be slow: nobody waits for it. */
export class EventChannel {
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;

  /** How many events wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Means nothing after the end. */
  send(event: AgentEvent): void {
    if (this.#hasEnded) return;
    this.#waiting.push(event);
    if (this.#waiting.length > MAX_WAITING && event.id === undefined) {
      this.#waiting = this.#waiting.filter(({ id }) => id !== undefined);
    }
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Ends, and drops waiting events. */
  drop(): void {
    this.#waiting = [];
    this.end();
  }

  /**
   * All events until the end. For one reader. `begin` starts work that sends them, when they are first asked for: the stream ends
   * with it, and throws its error.
   */
  async *events(begin?: () => Promise<void>): AsyncGenerator<AgentEvent, void, undefined> {
    begin?.().then(
      () => this.end(),
      (error: unknown) => this.#fail(error),
    );
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      // No `yield*`, here and around this generator: it takes several times as long.
      for (const event of batch) yield event;
      if (this.#waiting.length > 0) continue;
      if (this.#failure) throw this.#failure.error;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #fail(error: unknown): void {
    this.#failure = { error };
    this.end();
  }
}

/**
 * Events whose reader may leave while it waits for the next one. `leave` must end them; a reader of a generator that waits
 * could leave only with the next event.
 */
export const leavable = (
  events: AsyncGenerator<AgentEvent, void, undefined>,
  leave: () => void,
): AsyncIterableIterator<AgentEvent, void, undefined> => ({
  next: () => events.next(),
  return: () => {
    leave();
    return events.return();
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});
