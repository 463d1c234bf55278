import type { Clock } from "../types/agent.ts";
import type { Schedule, ScheduleEntry } from "./schedule.ts";

/** Milliseconds between two looks at the clock, which may be set, or stand still while a machine sleeps. */
const LONGEST_WAIT = 60_000;

export interface SchedulerOptions {
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Handles the entries that are due. Must not reject. */
  readonly wake: (due: readonly ScheduleEntry[]) => Promise<void>;
}

/** Wakes when entries are due, one wake at a time: what becomes due during a wake is handled in one wake afterwards. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  #cancel = (): void => {};
  #stopped = false;

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  start(): void {
    if (!this.#stopped) this.#check();
  }

  /** No wake begins afterwards; a running one continues. */
  stop(): void {
    this.#stopped = true;
    this.#cancel();
  }

  #check(): void {
    const { clock, schedule } = this.#options;
    const now = clock.now();
    const due = schedule.take(now);
    if (due.length > 0) void this.#run(due);
    else if (schedule.next < Number.POSITIVE_INFINITY) {
      this.#cancel = clock.after(Math.min(schedule.next - now, LONGEST_WAIT), () => this.#check());
    }
  }

  async #run(due: readonly ScheduleEntry[]): Promise<void> {
    const { clock, schedule, wake } = this.#options;
    await wake(due);
    schedule.finish(due, clock.now());
    if (!this.#stopped) this.#check();
  }
}
