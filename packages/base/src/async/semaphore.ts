/** Lets a limited number of callers in at a time, in the order of their calls. Works within this process only. */
export class Semaphore {
  #limit = 1;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];
  #empty: PromiseWithResolvers<void> | undefined;

  /** The number of callers at a time; default: one. */
  static of(limit: number): Semaphore {
    const semaphore = new Semaphore();
    semaphore.#limit = limit;
    return semaphore;
  }

  /** Whether the next caller would have to wait. */
  get isBusy(): boolean {
    return this.#inside >= this.#limit || this.#waiting.length > 0;
  }

  /** Runs `work` when its turn comes. Rejects as `work` does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** The same, but if `signal` fires before its turn, resolves to undefined at once without running `work`. */
  async runUnlessAborted<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result | undefined> {
    if (!(await this.#enter(signal))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves when no caller is inside or waiting. Never rejects. */
  async settled(): Promise<void> {
    if (this.#inside === 0 && this.#waiting.length === 0) return;
    this.#empty ??= Promise.withResolvers();
    await this.#empty.promise;
  }

  #enter(signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false);
    if (!this.isBusy) {
      this.#inside++;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener("abort", giveUp);
        resolve(true);
      };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(enter), 1);
        resolve(false);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
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
