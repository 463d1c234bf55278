import type { AgentEvent } from "../types/event.ts";

/** Carries events from a running prompt to whoever iterates over them. */
export class EventChannel {
  #waiting: AgentEvent[] = [];
  #wake: (() => void) | undefined;
  #ended = false;

  send(event: AgentEvent): void {
    this.#waiting.push(event);
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  /** All events until the end. For one reader. */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    for (;;) {
      const batch = this.#waiting;
      this.#waiting = [];
      yield* batch;
      if (this.#waiting.length > 0) continue;
      if (this.#ended) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}
