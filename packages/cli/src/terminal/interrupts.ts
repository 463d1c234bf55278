/** Milliseconds within which a second Ctrl+C leaves. */
export const leaveWindow = 3000;

/** What a press of Ctrl+C means, from when the one before was. */
export class Interrupts {
  #last = Number.NEGATIVE_INFINITY;

  /** `now` in milliseconds, never going back. */
  press(now: number, isRunning: boolean): "leave" | "stop" | "warn" {
    const again = now - this.#last <= leaveWindow;
    this.#last = now;
    if (again) {
      return "leave";
    }
    return isRunning ? "stop" : "warn";
  }

  /** What was typed since makes the next press a first one again. */
  forget(): void {
    this.#last = Number.NEGATIVE_INFINITY;
  }
}

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
