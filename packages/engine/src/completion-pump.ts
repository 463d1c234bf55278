import { setImmediate as nextTask } from "node:timers/promises";
import { HostEndedError } from "@mdx-ai/runtime";
import { RestatePromise } from "@restatedev/restate-sdk";

/** Settles a completed operation. */
type Settle = () => void;

/**
 * Settles the durable operations of one attempt, one at a time, in the order of the engine's log. After each one, the code that waits for it
 * starts its next operations before the following one is settled, so that a repetition starts the same operations in the same order.
 */
export class CompletionPump {
  readonly #open = new Map<number, RestatePromise<Settle>>();
  /** The operations that somebody waits for, by number, with their rejection. The engine is asked for progress only while there are any. */
  readonly #awaited = new Map<number, (error: unknown) => void>();
  readonly #ended: AbortSignal;
  #last = 0;
  #isRunning = false;

  /** Once `ended` fires, all waits reject with `HostEndedError`. */
  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener("abort", () => this.#end(), { once: true });
  }

  /** Waits for an operation. `stopped`, which must fire in the order of this pump, ends the wait with undefined. Rejects as the operation does. */
  wait<Result>(operation: RestatePromise<Result>, stopped?: AbortSignal): Promise<Result | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<Result | undefined>();
    const id = this.#add(operation, resolve, reject);
    this.#awaited.set(id, reject);
    const stop = (): void => {
      this.#awaited.delete(id);
      resolve(undefined);
    };
    stopped?.addEventListener("abort", stop, { once: true });
    if (this.#ended.aborted) this.#end();
    else if (!this.#isRunning) void this.#run();
    return promise.finally(() => stopped?.removeEventListener("abort", stop));
  }

  /** Reports the completion of an operation that nobody waits for, while others are waited for. */
  watch<Result>(operation: RestatePromise<Result>, completed: (result: Result | undefined) => void): void {
    this.#add(operation, completed, () => {});
  }

  #add<Result>(
    operation: RestatePromise<Result>,
    resolve: (result: Result | undefined) => void,
    reject: (error: unknown) => void,
  ): number {
    const id = ++this.#last;
    const settled = operation.map((value, failure) => (): void => {
      this.#open.delete(id);
      this.#awaited.delete(id);
      if (failure === undefined) resolve(value);
      else reject(failure);
    });
    this.#open.set(id, settled);
    return id;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    // Operations that are started together are waited for together.
    await nextTask();
    while (this.#awaited.size > 0 && !this.#ended.aborted) {
      const settle = await RestatePromise.race([...this.#open.values()]);
      if (this.#ended.aborted) return;
      settle();
      await nextTask();
    }
    this.#isRunning = false;
  }

  #end(): void {
    const waits = [...this.#awaited.values()];
    this.#awaited.clear();
    for (const reject of waits) reject(new HostEndedError("the attempt has ended"));
  }
}
