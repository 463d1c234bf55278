/** A prompt of this process that waits or runs. */
export interface LivePrompt {
  readonly controller: AbortController;
  hasBegun: boolean;
  /** Resolves when it has ended, or was cancelled and taken back. Never rejects. */
  done: Promise<void>;
  /** Resolves when its input is on disk. Rejects if that fails. */
  readonly kept: PromiseWithResolvers<void>;
}

/** The prompts of a session that wait or run in this process, by their ids. */
export class LivePrompts {
  readonly #prompts = new Map<string, LivePrompt>();

  get(id: string): LivePrompt | undefined {
    return this.#prompts.get(id);
  }

  /** Holds a prompt while `work` runs. Rejects as `work` does. */
  track(id: string, work: (live: LivePrompt) => Promise<void>): Promise<void> {
    const kept = Promise.withResolvers<void>();
    // It may fail before it is awaited.
    kept.promise.catch(() => {});
    const live: LivePrompt = { controller: new AbortController(), hasBegun: false, done: Promise.resolve(), kept };
    this.#prompts.set(id, live);
    const working = work(live).finally(() => this.#prompts.delete(id));
    live.done = working.then(kept.resolve, kept.reject);
    return working;
  }

  /** Resolves when a prompt that waited is taken back, or at once if it runs; to false if there is none. */
  async cancel(id: string): Promise<boolean> {
    const live = this.#prompts.get(id);
    if (live === undefined) return false;
    live.controller.abort();
    if (!live.hasBegun) await live.done;
    return true;
  }

  /** Resolves when those of now have ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#prompts.values()].map(({ done }) => done));
  }
}
