/** Warnings of one connection that are shown. */
const MOST = 20;

/** Hands warnings on until there are too many. */
export class WarningLimit {
  readonly #warn: (message: string) => void;
  #count = 0;

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  warn(message: string): void {
    this.#count += 1;
    if (this.#count <= MOST) this.#warn(message);
    else if (this.#count === MOST + 1) this.#warn("gives more warnings, which are left out");
  }
}
