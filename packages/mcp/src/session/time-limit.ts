/** Calls back when some time has passed, unless it is paused or begins anew. */
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

  /** Begins anew. */
  restart(): void {
    clearTimeout(this.#timer);
    if (this.#pauses > 0 || this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#onOver();
    }, this.#milliseconds);
  }

  /** Stops until `resume` was called as often; then it begins anew. */
  pause(): void {
    this.#pauses += 1;
    clearTimeout(this.#timer);
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.restart();
  }

  /** Never calls back any more. */
  end(): void {
    this.#pauses = Number.POSITIVE_INFINITY;
    clearTimeout(this.#timer);
  }
}
