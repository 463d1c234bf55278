interface Waiter {
  readonly enter: () => void;
  readonly yields: boolean;
}

/** Lets a limited number of callers in at a time, in the order of their calls. Works within this process only. */
export class Semaphore {
  #limit = 1;
  #inside = 0;
  readonly #waiting: Waiter[] = [];
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

  /**
   * The same, but if `signal` fires before its turn, resolves to undefined at once without running `work`. A caller that yields lets
   * all others go first, even those that come later.
   */
  async runUnlessAborted<Result>(
    signal: AbortSignal,
    work: () => Promise<Result>,
    { yields = false }: { readonly yields?: boolean } = {},
  ): Promise<Result | undefined> {
    if (!(await this.#enter(signal, yields))) return undefined;
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

  #enter(signal?: AbortSignal, yields = false): Promise<boolean> {
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
      const waiter = { enter, yields };
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        resolve(false);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      this.#waiting.push(waiter);
    });
  }

  #leave(): void {
    const first = this.#waiting.findIndex(({ yields }) => !yields);
    const [next] = this.#waiting.splice(Math.max(0, first), 1);
    if (next) {
      next.enter();
      return;
    }
    this.#inside--;
    if (this.#inside > 0) return;
    this.#empty?.resolve();
    this.#empty = undefined;
  }
}

/** Lets one caller in at a time for each key, in the order of their calls. Forgets a key when no caller is inside or waiting. */
export class KeyedSemaphore {
  readonly #turns = new Map<string, Semaphore>();

  /** Runs `work` when its turn comes. Rejects as `work` does. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turns = this.#turns.get(key) ?? new Semaphore();
    this.#turns.set(key, turns);
    try {
      return await turns.run(work);
    } finally {
      if (!turns.isBusy) this.#turns.delete(key);
    }
  }

  /** Resolves when no caller is inside or waiting. Never rejects. */
  async settled(): Promise<void> {
    await Promise.all([...this.#turns.values()].map((turns) => turns.settled()));
  }
}
