import { leaveWindow } from "./interrupts.ts";

/** A line for the user that goes away by itself when its time is over. */
export class Hint {
  readonly #onChange: () => void;
  #text = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** Empty if there is none. */
  get text(): string {
    return this.#text;
  }

  show(text: string): void {
    this.stop();
    this.#text = text;
    this.#timer = setTimeout(() => this.hide(), leaveWindow);
    this.#onChange();
  }

  hide(): void {
    this.stop();
    this.#text = "";
    this.#onChange();
  }

  /** It stays as it is from now on. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
