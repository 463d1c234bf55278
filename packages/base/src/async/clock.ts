/** The source of time. */
export interface Clock {
  /** Milliseconds since 1970, but for `steadyClock`. */
  now(): number;
  /** Calls back once after this many milliseconds; the returned function cancels. */
  after(milliseconds: number, callback: () => void): () => void;
}

/** The longest wait of a timer; with a longer one it fires at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The machine's clock. Splits waits that are too long for one timer. */
export const systemClock: Clock = {
  now: Date.now,
  after: (milliseconds, callback) => {
    let left = milliseconds;
    let timer: ReturnType<typeof setTimeout>;
    const arm = (): void => {
      const part = Math.min(left, MAX_TIMER);
      left -= part;
      timer = setTimeout(left > 0 ? arm : callback, part);
    };
    arm();
    return () => clearTimeout(timer);
  },
};

/** For durations: `now` counts from the start of this process, and nobody sets it. */
export const steadyClock: Clock = { now: () => performance.now(), after: systemClock.after };
