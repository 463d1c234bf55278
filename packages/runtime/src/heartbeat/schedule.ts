import { type Clock, errorMessage } from "@mdx-ai/base";
import { type AgentSettings, type HeartbeatDefinition, type RoutineTime, scheduleInterval } from "@mdx-ai/parser";
import { nextCronTime as cronTime } from "@mdx-ai/parser/cron";

/** A reason for the heartbeat to wake the agent. */
export interface ScheduleEntry {
  /** The routine task; absent for the interval. */
  readonly task?: string;
  readonly time: RoutineTime;
}

/** The input of the schedule. */
export interface HeartbeatPlan {
  /** heartbeat.md; absent without the file. */
  readonly definition?: HeartbeatDefinition | undefined;
  readonly settings: Pick<AgentSettings, "schedule" | "timezone">;
}

/**
 * The entries of the schedule: the interval of heartbeat.md, else `schedule` of the settings, then the routine tasks. An
 * empty heartbeat.md has none, which turns the schedule off.
 */
export function scheduleEntries({ definition, settings }: HeartbeatPlan): readonly ScheduleEntry[] {
  if (definition && isEmpty(definition)) return [];
  const milliseconds = definition?.interval ?? scheduleInterval(settings.schedule ?? "");
  const intervals: ScheduleEntry[] = milliseconds === undefined ? [] : [{ time: { type: "interval", milliseconds } }];
  return [...intervals, ...(definition?.routines ?? []).map(({ name, time }) => ({ task: name, time }))];
}

function isEmpty({ interval, onWake, routines, contextReconstruction }: HeartbeatDefinition): boolean {
  return interval === undefined && onWake.length + routines.length + contextReconstruction.length === 0;
}

/** The next time cannot be computed: the expression is invalid, the time zone is unknown, or the day never comes. */
class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}

/** The shortest interval in milliseconds: asking a model more often is certainly a mistake. */
const MIN_INTERVAL = 1_000;

/**
 * The next time after `from`, both in milliseconds since 1970; an interval starts at `from`. Cron expressions are read in
 * `timezone` (IANA), by default the machine's time zone. Throws `ScheduleError`.
 */
export function nextTime(time: RoutineTime, from: number, timezone: string | undefined): number {
  switch (time.type) {
    case "interval":
      return from + Math.max(time.milliseconds, MIN_INTERVAL);
    case "cron":
      return nextCronTime(time.expression, from, timezone);
  }
}

function nextCronTime(expression: string, from: number, timezone: string | undefined): number {
  let next: number | undefined;
  try {
    next = cronTime(expression, from, timezone);
  } catch (cause) {
    throw new ScheduleError(errorMessage(cause), { cause });
  }
  if (next === undefined) throw new ScheduleError(`${JSON.stringify(expression)} never comes due`);
  return next;
}

/** Cron times are recomputed only if the clock is set back by more than this; after a smaller step, tasks would run twice. */
const GREAT_JUMP = 3_600_000;

interface DueEntry {
  readonly entry: ScheduleEntry;
  /** Milliseconds since 1970. */
  due: number;
}

/**
 * Tracks when each entry is due. All times are milliseconds since 1970. An entry that missed several times, because the machine
 * slept or a wake took long, is due once. Only the constructor throws `ScheduleError`.
 */
export class Schedule {
  readonly #entries: readonly DueEntry[];
  readonly #timezone: string | undefined;
  #lastNow: number;

  constructor(entries: readonly ScheduleEntry[], now: number, timezone: string | undefined) {
    this.#timezone = timezone;
    this.#lastNow = now;
    this.#entries = entries.map((entry) => ({ entry, due: nextTime(entry.time, now, timezone) }));
  }

  /** When the next entry is due; infinite without entries. */
  get next(): number {
    return Math.min(...this.#entries.map(({ due }) => due));
  }

  /** Takes the due entries; each then waits for its next time. */
  take(now: number): readonly ScheduleEntry[] {
    this.#correctJump(now);
    const taken = this.#entries.filter(({ due }) => due <= now);
    for (const entry of taken) this.#advance(entry, now);
    return taken.map(({ entry }) => entry);
  }

  /** Call it when the wake for `taken` has ended: an interval shorter than the wake restarts. */
  finish(taken: readonly ScheduleEntry[], now: number): void {
    for (const one of this.#entries) {
      if (one.entry.time.type !== "interval" || one.due > now || !taken.includes(one.entry)) continue;
      one.due = nextTime(one.entry.time, now, this.#timezone);
    }
  }

  /** An interval keeps its pace; if it has fallen behind, it starts at `now`. */
  #advance(one: DueEntry, now: number): void {
    const { time } = one.entry;
    const paced = time.type === "interval" ? nextTime(time, one.due, this.#timezone) : now;
    one.due = paced > now ? paced : nextTime(time, now, this.#timezone);
  }

  /** After the clock was set back, no entry waits longer than from `now`. */
  #correctJump(now: number): void {
    const isGreat = now < this.#lastNow - GREAT_JUMP;
    this.#lastNow = now;
    for (const one of this.#entries) {
      const { time } = one.entry;
      if (isGreat || time.type === "interval") one.due = Math.min(one.due, nextTime(time, now, this.#timezone));
    }
  }
}

/** Milliseconds between two checks of the clock, which may be set or stop while the machine sleeps. */
const MAX_WAIT = 60_000;

interface SchedulerOptions {
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Handles the entries that are due. Must not reject. */
  readonly wake: (due: readonly ScheduleEntry[]) => Promise<void>;
}

/** Wakes when entries are due, one wake at a time: entries that come due during a wake share one wake afterwards. */
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
      this.#cancel = clock.after(Math.min(schedule.next - now, MAX_WAIT), () => this.#check());
    }
  }

  async #run(due: readonly ScheduleEntry[]): Promise<void> {
    const { clock, schedule, wake } = this.#options;
    await wake(due);
    schedule.finish(due, clock.now());
    if (!this.#stopped) this.#check();
  }
}
