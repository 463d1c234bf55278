import { untilAborted } from "./abort.ts";

/** Lets one caller in at a time, in the order in which they ask. Holds within this process alone. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve();
  #count = 0;

  /** Whether the next caller would have to wait. */
  get isBusy(): boolean {
    return this.#count > 0;
  }

  /**
   * Resolves when all who asked before have left, or as soon as `signal` fires: check it before you continue. Call the returned
   * function to leave, in either case.
   */
  async enter(signal?: AbortSignal): Promise<() => void> {
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const leave = (): void => {
      this.#count--;
      resolve();
    };
    this.#count++;
    const before = this.#last;
    // A caller that gives up waiting must not let the next one in early.
    this.#last = Promise.all([before, left]);
    if (signal === undefined) await before;
    else
      await untilAborted(
        () => before,
        signal,
        () => {},
      );
    return leave;
  }

  /** Runs `work` once all who asked before have left. Rejects as `work` does. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Resolves when all who asked so far have left. Never rejects. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
