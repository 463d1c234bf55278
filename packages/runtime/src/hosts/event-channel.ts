import type { AgentEvent } from "../types/event.ts";

/** Events that may wait for a reader. Beyond, its updates are dropped: the finished message follows in any case. */
const MOST_WAITING = 65_536;

/** Carries events to one reader, who may be slow: nobody waits for it. */
export class EventChannel {
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #hasEnded = false;

  /** How many events wait. */
  get length(): number {
    return this.#waiting.length;
  }

  send(event: AgentEvent): void {
    this.#waiting.push(event);
    if (this.#waiting.length > MOST_WAITING && event.id === undefined) {
      this.#waiting = this.#waiting.filter(({ id }) => id !== undefined);
    }
    this.#wake?.();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake?.();
  }

  /** Drops what waits. */
  clear(): void {
    this.#waiting = [];
  }

  /** All events until the end. For one reader. */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#hasEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
