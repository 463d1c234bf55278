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
