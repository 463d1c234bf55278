/** Lets one through at a time, in the order of their coming. */
export class PromptQueue {
  #last: Promise<unknown> = Promise.resolve();
  #inside = 0;

  /** Whether the next one would have to wait. */
  get isBusy(): boolean {
    return this.#inside > 0;
  }

  /**
   * Resolves when all that came before have left, or as soon as `signal` fires: ask it before you go on. The returned
   * function leaves; to be called in either case.
   */
  async enter(signal: AbortSignal): Promise<() => void> {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#inside--;
      resolve();
    };
    this.#inside++;
    const before = this.#last;
    // One that gives up waiting must not let the next one in before its time.
    this.#last = Promise.all([before, left]);
    await passed(before, signal);
    return leave;
  }

  /** Resolves when all that came so far have left. */
  async empty(): Promise<void> {
    await this.#last;
  }
}

async function passed(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise: aborted, resolve } = Promise.withResolvers<void>();
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([before, aborted]);
  signal.removeEventListener("abort", onAbort);
}
