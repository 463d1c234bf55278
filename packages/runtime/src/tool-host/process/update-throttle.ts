import type { BoundedResult } from "../../tools/tool-result.ts";

const INTERVAL_MILLISECONDS = 50;

// Kept, since the code of a tool may replace them.
const { clearTimeout, setTimeout } = globalThis;
const now = performance.now.bind(performance);

/** Sends the partial results of one call, one in 50 milliseconds at most. The newest one is always sent, older ones may be dropped. */
export class UpdateThrottle {
  readonly #send: (partial: BoundedResult) => void;
  #last = Number.NEGATIVE_INFINITY;
  #pending: BoundedResult | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #hasEnded = false;

  constructor(send: (partial: BoundedResult) => void) {
    this.#send = send;
  }

  add(partial: BoundedResult): void {
    if (this.#hasEnded) return;
    this.#pending = partial;
    const wait = this.#last + INTERVAL_MILLISECONDS - now();
    if (wait <= 0) this.#sendPending();
    else this.#timer ??= setTimeout(() => this.#sendPending(), wait);
  }

  /** Sends what is pending. Later partial results are dropped. */
  end(): void {
    this.#sendPending();
    this.#hasEnded = true;
  }

  #sendPending(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#pending) return;
    this.#last = now();
    this.#send(this.#pending);
    this.#pending = undefined;
  }
}
