/** Tracks the order in which a host's operations complete, for `Host.inOrder`. */
export class CompletionOrder {
  readonly #order = new WeakMap<Promise<unknown>, number>();
  #count = 0;

  /** Watches an operation. Its failure is reported only to the code that awaits it. */
  watch<Result>(operation: Promise<Result>): Promise<Result> {
    const note = (): void => void this.#order.set(operation, ++this.#count);
    operation.then(note, note);
    return operation;
  }

  /** As `Host.inOrder`, for watched operations. */
  async *inOrder<Result>(
    started: readonly Promise<Result>[],
  ): AsyncGenerator<readonly [index: number, result: Result], void, undefined> {
    const left = new Map(started.entries());
    try {
      while (left.size > 0) {
        const [index, operation] = await this.#first(left);
        left.delete(index);
        yield [index, await operation];
      }
    } catch (error) {
      await Promise.allSettled(left.values());
      throw error;
    }
  }

  /** Resolves to the first completed of some operations. */
  async #first<Result>(left: ReadonlyMap<number, Promise<Result>>): Promise<[number, Promise<Result>]> {
    for (;;) {
      const [first] = [...left]
        .filter(([, operation]) => this.#order.has(operation))
        .sort(([, one], [, other]) => this.#orderOf(one) - this.#orderOf(other));
      if (first) return first;
      await new Promise<void>((resolve) => {
        for (const operation of left.values())
          operation.then(
            () => resolve(),
            () => resolve(),
          );
      });
    }
  }

  #orderOf(operation: Promise<unknown>): number {
    return this.#order.get(operation) ?? 0;
  }
}
