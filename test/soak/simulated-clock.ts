import type { Clock } from "@mdx-ai/base";

interface Timer {
  readonly due: number;
  readonly order: number;
  callback: (() => void) | undefined;
}

/** A clock whose time passes as fast as the work allows. Timers fire in order, also very many of them. */
export class SimulatedClock implements Clock {
  #now: number;
  #order = 0;
  /** A binary heap, the next timer first. */
  readonly #heap: Timer[] = [];

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer: Timer = { due: this.#now + Math.max(0, milliseconds), order: this.#order++, callback };
    this.#push(timer);
    return () => {
      timer.callback = undefined;
    };
  }

  /** Lets time pass until `end`, with a pause for other work after each timer. */
  async passUntil(end: number, pause: () => Promise<void>): Promise<void> {
    for (let timer = this.#heap[0]; timer !== undefined && timer.due <= end; timer = this.#heap[0]) {
      this.#pop();
      if (timer.callback === undefined) continue;
      this.#now = Math.max(this.#now, timer.due);
      timer.callback();
      await pause();
    }
    this.#now = end;
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return first !== undefined;
    return first.due < second.due || (first.due === second.due && first.order < second.order);
  }

  #swap(one: number, other: number): void {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (first === undefined || second === undefined) return;
    this.#heap[one] = second;
    this.#heap[other] = first;
  }

  #push(timer: Timer): void {
    this.#heap.push(timer);
    for (let index = this.#heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (!this.#isBefore(index, parent)) return;
      this.#swap(index, parent);
      index = parent;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let index = 0; ; ) {
      const children = [2 * index + 1, 2 * index + 2].filter((child) => child < this.#heap.length);
      const [first] = children.toSorted((one, other) => (this.#isBefore(one, other) ? -1 : 1));
      if (first === undefined || !this.#isBefore(first, index)) return;
      this.#swap(index, first);
      index = first;
    }
  }
}
