const shortestPause = 33;
/** A slow redraw earns a longer pause, so that drawing never takes more than a fifth of the time. */
const pausePerCost = 4;

/** Runs an action soon after a request, once for any number of requests, and not too often. */
export class Throttle {
  readonly #action: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #earliest = 0;

  constructor(action: () => void) {
    this.#action = action;
  }

  request(): void {
    this.#timer ??= setTimeout(() => this.#run(), Math.max(0, this.#earliest - performance.now()));
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #run(): void {
    this.#timer = undefined;
    const start = performance.now();
    this.#action();
    const end = performance.now();
    this.#earliest = end + Math.max(shortestPause, (end - start) * pausePerCost);
  }
}
