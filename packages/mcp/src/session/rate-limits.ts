/** Runs work some time after it was requested: once for all requests in that time, and never concurrently. */
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

/** Warnings shown for one connection. */
const MAX_COUNT = 20;

/** Forwards warnings up to a limit. */
export class WarningLimit {
  readonly #warn: (message: string) => void;
  #count = 0;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  warn(message: string): void {
    this.#count += 1;
    if (this.#count <= MAX_COUNT) this.#warn(message);
    else if (this.#count === MAX_COUNT + 1) this.#warn("gives more warnings, which are not shown");
  }
}
