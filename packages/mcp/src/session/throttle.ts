/** Runs work a while after it was asked for: once for all that ask within that time, and never twice at once. */
export class Throttle {
  readonly #milliseconds: number;
  readonly #work: () => Promise<void>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isRunning = false;
  #isAskedAgain = false;
  #isEnded = false;

  /** `work` must not reject. */
  constructor(milliseconds: number, work: () => Promise<void>) {
    this.#milliseconds = milliseconds;
    this.#work = work;
  }

  ask(): void {
    if (this.#isRunning) this.#isAskedAgain = true;
    else if (!this.#isEnded) this.#timer ??= setTimeout(() => void this.#run(), this.#milliseconds);
  }

  end(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
  }

  async #run(): Promise<void> {
    this.#timer = undefined;
    this.#isRunning = true;
    this.#isAskedAgain = false;
    await this.#work();
    this.#isRunning = false;
    if (this.#isAskedAgain) this.ask();
  }
}
