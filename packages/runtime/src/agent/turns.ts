/** Lets so many through at a time, in the order of their coming. */
export class Turns {
  readonly #limit: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];
  #empty: PromiseWithResolvers<void> | undefined;

  constructor(limit = 1) {
    this.#limit = limit;
  }

  /** Whether the next one would have to wait. */
  get isBusy(): boolean {
    return this.#inside >= this.#limit || this.#waiting.length > 0;
  }

  /**
   * Does work when its turn comes. If `signal` fires before that, resolves to undefined at once and does nothing. Rejects as
   * the work does.
   */
  async take<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#enter(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when nobody is inside or waits. */
  async empty(): Promise<void> {
    if (this.#inside === 0 && this.#waiting.length === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
  }

  #enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return Promise.resolve(false);
    if (!this.isBusy) {
      this.#inside++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      signal.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(enter);
    });
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) {
      next();
      return;
    }
    this.#inside--;
    if (this.#inside > 0) return;
    this.#empty?.resolve();
    this.#empty = undefined;
  }
}
