/** Lets one through at a time, in the order of their coming. */
export class PromptQueue {
  #last: Promise<void> = Promise.resolve();

  /** Resolves when all that came before have left; the returned function leaves. */
  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}
