/** Most tries in a row that begin by themselves. */
const MAX_TRIES = 6;

/** Milliseconds that a wait never exceeds. */
const MAX_LENGTH = 60_000;

/** Milliseconds after which a connection counts as one that holds. */
const HOLDS = 30_000;

/** When to connect again after failures: each wait is twice as long as the one before. Gives up after some. */
export class BackOff {
  readonly #first: number;
  readonly #retry: () => void;
  #failures = 0;
  #retryAt: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #connectedAt = Number.POSITIVE_INFINITY;

  constructor(first: number, retry: () => void) {
    this.#first = first;
    this.#retry = retry;
  }

  /** Milliseconds since 1970; undefined if no try is to come. */
  get retryAt(): number | undefined {
    return this.#retryAt;
  }

  connected(): void {
    this.#connectedAt = performance.now();
  }

  /** Counts a failure and begins to wait. Returns when the next try begins; undefined if none does. */
  start(): number | undefined {
    if (performance.now() - this.#connectedAt > HOLDS) this.#failures = 0;
    this.#connectedAt = Number.POSITIVE_INFINITY;
    this.#failures += 1;
    this.stop();
    if (this.#failures > MAX_TRIES) return undefined;
    const wait = Math.min(this.#first * 2 ** (this.#failures - 1), MAX_LENGTH);
    this.#retryAt = Date.now() + wait;
    this.#timer = setTimeout(() => {
      this.#retryAt = undefined;
      this.#retry();
    }, wait);
    // A server that is down keeps no program running.
    this.#timer.unref();
    return this.#retryAt;
  }

  /** The server works: the next failure is the first. */
  reset(): void {
    this.#failures = 0;
  }

  /** Stops waiting. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#retryAt = undefined;
  }

  /** Never tries again. */
  end(): void {
    this.#failures = Number.POSITIVE_INFINITY;
    this.stop();
  }
}
