const LOOK_MILLISECONDS = 200;

/** What a call may make this process grow by, in bytes: far more than any result, which is cut, could. */
const MOST_GROWTH = 512 * 2 ** 20;

/**
 * Watches the memory of this process while a call runs. The channel to a tool host process keeps whatever comes in for a
 * message until the message is whole, so that a tool could fill this process's memory with one that never is.
 * Short calls cost nothing. Dispose it when the call has ended.
 */
export class FloodWatch implements Disposable {
  readonly #timer: ReturnType<typeof setInterval>;
  #before: number | undefined;

  /** `onFlood` is told once. */
  constructor(onFlood: () => void) {
    this.#timer = setInterval(() => {
      const now = process.memoryUsage.rss();
      this.#before ??= now;
      if (now - this.#before < MOST_GROWTH) return;
      this[Symbol.dispose]();
      onFlood();
    }, LOOK_MILLISECONDS);
    this.#timer.unref();
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
