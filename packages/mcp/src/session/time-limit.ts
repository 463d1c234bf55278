/** Calls back after some time, unless it is paused or restarted. */
export class TimeLimit {
  readonly #milliseconds: number;
  readonly #onOver: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pauses = 0;
  #isOver = false;

  constructor(milliseconds: number, onOver: () => void) {
    this.#milliseconds = milliseconds;
    this.#onOver = onOver;
    this.restart();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Starts over. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.#pauses > 0 || this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#onOver();
    }, this.#milliseconds);
  }

  /** Pauses until `resume` was called as often as `pause`, then starts over. */
  pause(): void {
    this.#pauses += 1;
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.restart();
  }

  /** Stops for good. */
  end(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }
}
