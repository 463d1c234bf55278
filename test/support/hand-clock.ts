import type { Clock } from "@mdx-ai/base";

interface Timer {
  due: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class HandClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();
  readonly #watchers = new Set<() => void>();

  /** Starts at an ISO 8601 time. */
  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer: Timer = { due: this.#now + milliseconds, callback };
    this.#timers.add(timer);
    for (const watcher of this.#watchers) watcher();
    return () => this.#timers.delete(timer);
  }

  /** How many timers run. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Resolves as soon as a timer runs. */
  async untilTimer(): Promise<void> {
    if (this.#timers.size > 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#watchers.add(resolve);
    await promise;
    this.#watchers.delete(resolve);
  }

  /** Lets time pass: each timer fires at its time, and those that it starts within the time fire too. */
  pass(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let timer = this.#first(end); timer; timer = this.#first(end)) {
      this.#now = Math.max(this.#now, timer.due);
      this.#fire(timer);
    }
    this.#now = end;
  }

  /** Lets time pass in which this process stood still: timers fire late, at the end of it. */
  stall(milliseconds: number): void {
    this.#now += milliseconds;
    this.pass(0);
  }

  /** Sets the clock, as a user or the network does; timers keep the time that they had left. */
  set(time: string): void {
    const jump = Date.parse(time) - this.#now;
    this.#now += jump;
    for (const timer of this.#timers) timer.due += jump;
  }

  #first(end: number): Timer | undefined {
    const due = [...this.#timers].filter((timer) => timer.due <= end);
    return due.sort((one, other) => one.due - other.due)[0];
  }

  #fire(timer: Timer): void {
    this.#timers.delete(timer);
    timer.callback();
  }
}
