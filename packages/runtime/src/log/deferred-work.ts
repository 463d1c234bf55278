import { Turns } from "../turns.ts";
import { warnOnce } from "../warn-once.ts";
import { lineText } from "./line-text.ts";

/** How long work may wait, in milliseconds: long enough for the first request to be on its way. */
const DELAY = 100;

export interface DeferredWorkOptions {
  /** Begins the warning about a failure, such as "the log could not be written". */
  readonly failure: string;
  /** Receives one line the first time that the work fails. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Disk work that is done soon, while the model answers, and never in parallel. */
export class DeferredWork {
  readonly #work: () => void | Promise<void>;
  readonly #failure: string;
  readonly #warn: (message: string) => void;
  readonly #turns = new Turns();
  #timer: Timer | undefined;

  /** `work` does all that is pending when it starts. */
  constructor(work: () => void | Promise<void>, { failure, onWarning }: DeferredWorkOptions) {
    this.#work = work;
    this.#failure = failure;
    this.#warn = warnOnce(onWarning);
  }

  /** Schedules the work. Does not keep the process alive. */
  soon(): void {
    this.#timer ??= setTimeout(() => void this.settled(), DELAY).unref();
  }

  /** Does scheduled work now; resolves when all of it is done. Never rejects. */
  async settled(): Promise<void> {
    if (this.#timer === undefined) return this.#turns.settled();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      await this.#turns.run(async () => this.#work());
    } catch (error) {
      this.#warn(`${this.#failure}: ${lineText(error)}`);
    }
  }
}
