/** Automatic attempts in a row. */
const MAX_TRIES = 6;

/** The longest wait, in milliseconds. */
const MAX_LENGTH = 60_000;

/** Milliseconds after which a connection counts as stable. */
const HOLDS = 30_000;

/** Schedules reconnects after failures. Each wait is twice as long as the last; gives up after `MAX_TRIES`. */
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

  /** Milliseconds since 1970; undefined if no retry is scheduled. */
  get retryAt(): number | undefined {
    return this.#retryAt;
  }

  connected(): void {
    this.#connectedAt = performance.now();
  }

  /** Counts a failure and starts the wait. Returns when the next attempt starts; undefined if it gave up. */
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
    // Does not keep the process alive.
    this.#timer.unref();
    return this.#retryAt;
  }

  /** Resets the failure count once the server works. */
  reset(): void {
    this.#failures = 0;
  }

  /** Stops waiting. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#retryAt = undefined;
  }

  /** Stops for good. */
  end(): void {
    this.#failures = Number.POSITIVE_INFINITY;
    this.stop();
  }
}
