import type { Clock } from "../types/agent.ts";
import type { Appointment } from "./appointment.ts";
import type { Timetable } from "./timetable.ts";

/** The longest time between two looks at the clock, which may be set or stand still while a machine sleeps. */
const LONGEST_LOOK = 60_000;

export interface WakerOptions {
  readonly clock: Clock;
  readonly timetable: Timetable;
  /** Works off what is due. Must not reject. */
  readonly wake: (due: readonly Appointment[]) => Promise<void>;
}

/**
 * Wakes when something is due, one wake at a time: what comes due while one runs is worked off in one wake afterwards.
 */
export class Waker {
  readonly #options: WakerOptions;
  #cancel = (): void => {};
  #stopped = false;

  constructor(options: WakerOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#stopped) this.#look();
  }

  /** Nothing wakes afterwards; a wake that runs is not broken off. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #look(): void {
    const { clock, timetable } = this.#options;
    const now = clock.now();
    const due = timetable.take(now);
    if (due.length > 0) void this.#run(due);
    else if (timetable.next < Number.POSITIVE_INFINITY) this.#waitUntil(timetable.next, now);
  }

  #waitUntil(time: number, now: number): void {
    this.#cancel = this.#options.clock.after(Math.min(time - now, LONGEST_LOOK), () => this.#look());
  }

  async #run(due: readonly Appointment[]): Promise<void> {
    const { clock, timetable, wake } = this.#options;
    await wake(due);
    timetable.finish(due, clock.now());
    if (!this.#stopped) this.#look();
  }
}
