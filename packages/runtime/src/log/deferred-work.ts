/** How long work may wait, in milliseconds: long enough for the first request to be on its way. */
const DELAY = 100;

/** Work for the disk that is done soon, out of the way of what is going on, and never twice at once. */
export class DeferredWork {
  readonly #work: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  #timer: Timer | undefined;
  #last: Promise<void> = Promise.resolve();
  #failed = false;

  /** `work` does all that is waiting by then. `onFailure` is told the first time that it rejects. */
  constructor(work: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#work = work;
    this.#onFailure = onFailure;
  }

  /** There is something to do. A process that ends meanwhile is not held up. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.settled(), DELAY).unref();
  }

  /** Resolves when all that waits by now is done. Never rejects. */
  settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#last = this.#last.then(() => this.#work()).catch((error) => this.#fail(error));
    return this.#last;
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onFailure(error);
  }
}
