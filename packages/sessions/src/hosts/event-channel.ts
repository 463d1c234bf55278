import type { AgentEvent } from "@mdx-ai/loop";

/** How many events may wait for a reader. Beyond that, updates are dropped: the finished message follows in any case. */
const MAX_WAITING = 65_536;

/** A queue of events for one reader. Writers never wait for it. */
export class EventChannel {
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #hasEnded = false;
  #failure: { readonly error: unknown } | undefined;

  /** How many events wait. */
  get length(): number {
    return this.#waiting.length;
  }

  /** Ignored after the end. */
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
   * Yields all events until the end, to one reader. The first read calls `begin`, which starts work that sends them: the stream ends
   * with the work and throws its error.
   */
  async *events(begin?: () => Promise<void>): AsyncGenerator<AgentEvent, void, undefined> {
    begin?.().then(
      () => this.end(),
      (error: unknown) => this.#fail(error),
    );
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      // No `yield*` here or around this generator: it is several times slower.
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
 * A stream whose reader can leave while it waits for the next event. `leave` must end the stream; the reader of a waiting generator
 * could leave only with the next event.
 */
export const leavable = <Value>(
  values: AsyncGenerator<Value, void, undefined>,
  leave: () => void,
): AsyncIterableIterator<Value, void, undefined> => ({
  next: () => values.next(),
  return: () => {
    leave();
    return values.return();
  },
  [Symbol.asyncIterator]() {
    return this;
  },
});
