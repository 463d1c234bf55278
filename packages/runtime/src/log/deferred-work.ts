import { Turns } from "../turns.ts";

/** How long work may wait, in milliseconds: long enough for the first request to be on its way. */
const DELAY = 100;

/** Disk work that is done soon, while the model answers, and never twice at once. */
export class DeferredWork {
  readonly #work: () => Promise<void>;
  readonly #onFailure: (error: unknown) => void;
  readonly #turns = new Turns();
  #timer: Timer | undefined;
  #failed = false;

  /** `work` does all that is pending when it starts. `onFailure` is called the first time that it rejects. */
  constructor(work: () => Promise<void>, onFailure: (error: unknown) => void) {
    this.#work = work;
    this.#onFailure = onFailure;
  }

  /** Schedules the work. Does not keep the process alive. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.settled(), DELAY).unref();
  }

  /** Resolves when all that is pending now is done. Never rejects. */
  settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    return this.#turns.run(this.#work).catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    if (this.#failed) return;
    this.#failed = true;
    this.#onFailure(error);
  }
}
