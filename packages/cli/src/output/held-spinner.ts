import type { Spinner } from "./spinner.ts";

/** A spinner that can be kept still: what it is to write is written afterwards. */
export class HeldSpinner implements Spinner {
  readonly #spinner: Spinner;
  #holders = 0;
  #text = "";
  #shown: string | undefined;

  constructor(spinner: Spinner) {
    this.#spinner = spinner;
  }

  /** Writes and shows nothing while something else is done. Settles as that does. */
  async still<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#holders += 1;
    this.#spinner.stop();
    try {
      return await work();
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#goOn();
    }
  }

  show(text: string): void {
    this.#shown = text;
    if (this.#holders === 0) this.#spinner.show(text);
  }

  write(text: string): void {
    if (this.#holders === 0) this.#spinner.write(text);
    else this.#text += text;
  }

  stop(): void {
    this.#shown = undefined;
    this.#spinner.stop();
  }

  #goOn(): void {
    const text = this.#text;
    this.#text = "";
    if (text !== "") this.#spinner.write(text);
    if (this.#shown !== undefined) this.#spinner.show(this.#shown);
  }
}
