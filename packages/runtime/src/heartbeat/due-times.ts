import { errorMessage } from "@mdx-ai/base";
import type { ActiveHours, RoutineTime } from "@mdx-ai/parser";
import { cronTimes } from "@mdx-ai/parser/cron";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";

/** The times of a task cannot be computed: the expression is invalid, or the time zone is unknown. */
export class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}

/** The times of a task that have passed. */
export interface PassedTimes {
  /** The last one, in milliseconds since 1970. */
  readonly last: number;
  /** How many, at most `MAX_PASSED`. */
  readonly count: number;
}

/** The shortest interval in milliseconds: asking a model more often is certainly a mistake. */
const MIN_INTERVAL = 1_000;
/** How many missed times are counted; what is beyond is not looked at. */
export const MAX_PASSED = 1_000;
/** How many times outside of the active hours are tried before the task is never due. */
const MAX_TRIES = 1_000;
/** How far ahead they are tried: after 28 years the days of a month fall on the same days of the week again. Milliseconds. */
const MAX_AHEAD = 29 * 366 * 86_400_000;

const MAX_KNOWN = 4;

/** Returns the next time after another one; undefined if there is none. */
type Next = (after: number) => number | undefined;

/** One of the times of a task; `pace` is that of an interval, in milliseconds. */
interface Recurrence {
  readonly next: Next;
  readonly pace?: number;
}

/**
 * The times at which a task is due, in milliseconds since 1970. An interval counts from the time before. Only the constructor throws
 * `ScheduleError`.
 */
export class DueTimes {
  readonly #task: HeartbeatTask;
  readonly #recurrences: readonly Recurrence[];
  readonly #hours: Hours | undefined;
  /** The last answers of `next`, which is asked the same at every look at the clock. */
  readonly #known = new Map<number, number | undefined>();

  constructor(task: HeartbeatTask) {
    const { active } = task.directives;
    this.#task = task;
    try {
      this.#recurrences = task.times.map((time) => recurrenceOf(time, task.timezone));
      this.#hours = active && new Hours(active, task.timezone);
      for (const { next } of this.#recurrences) next(0);
    } catch (cause) {
      throw new ScheduleError(errorMessage(cause), { cause });
    }
  }

  /** The next time after `after`, the last one that counts; undefined if the task is never due again. */
  next(after: number): number | undefined {
    if (this.#known.has(after)) return this.#known.get(after);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const next = this.#next(after);
    this.#known.set(after, next);
    return next;
  }

  #next(after: number): number | undefined {
    const times = this.#recurrences.flatMap((one) => this.#activeTime(one, after) ?? []);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** When a run that is due at a time begins: later by the task's jitter, which is the same in every process. */
  begins(due: number): number {
    const { name, directives } = this.#task;
    const { jitter = 0 } = directives;
    return jitter === 0 ? due : due + Number(BigInt(Bun.hash(`${name} ${due}`)) % BigInt(jitter));
  }

  /** The times after `after` whose runs begin by `now`; undefined if there is none. */
  passed(after: number, now: number): PassedTimes | undefined {
    let last: number | undefined;
    let count = 0;
    for (let due = this.next(after); due !== undefined && this.begins(due) <= now; due = this.next(due)) {
      last = due;
      count += 1;
      if (count < MAX_PASSED) continue;
      last = now;
      break;
    }
    return last === undefined ? undefined : { last, count };
  }

  #activeTime(recurrence: Recurrence, after: number): number | undefined {
    const hours = this.#hours;
    let time = recurrence.next(after);
    if (hours === undefined) return time;
    for (let tries = 0; time !== undefined && time < after + MAX_AHEAD && tries < MAX_TRIES; tries++) {
      if (hours.contain(time)) return time;
      const opening = hours.opening(time);
      if (opening === undefined) return undefined;
      time = timeFrom(recurrence, after, opening);
    }
    return undefined;
  }
}

/** The first time from `from` on. An interval that began at `after` keeps its pace; cron does not depend on the time before. */
const timeFrom = ({ next, pace }: Recurrence, after: number, from: number): number | undefined =>
  pace === undefined ? next(from - 1) : after + Math.ceil((from - after) / pace) * pace;

function recurrenceOf(time: RoutineTime, timezone: string | undefined): Recurrence {
  switch (time.type) {
    case "interval": {
      const pace = Math.max(time.milliseconds, MIN_INTERVAL);
      return { next: (after) => after + pace, pace };
    }
    case "cron":
      return { next: cronTimes(time.expression, timezone) };
  }
}

const WEEKDAYS: readonly string[] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/** Active hours in a time zone. */
class Hours {
  readonly #active: ActiveHours;
  readonly #format: Intl.DateTimeFormat;
  readonly #openings: Next;

  constructor(active: ActiveHours, timezone: string | undefined) {
    const { from, days } = active;
    this.#active = active;
    this.#format = new Intl.DateTimeFormat("en-US", {
      ...{ hour: "2-digit", minute: "2-digit", weekday: "short", hourCycle: "h23" },
      ...(timezone !== undefined && { timeZone: timezone }),
    });
    this.#openings = cronTimes(`${from % 60} ${Math.floor(from / 60)} * * ${days?.join(",") ?? "*"}`, timezone);
  }

  /** When they begin next. */
  opening(after: number): number | undefined {
    return this.#openings(after);
  }

  contain(time: number): boolean {
    const { from, to } = this.#active;
    const { minute, day } = this.#wallTime(time);
    if (from < to) return from <= minute && minute < to && this.#isOn(day);
    return (minute >= from && this.#isOn(day)) || (minute < to && this.#isOn((day + 6) % 7));
  }

  #isOn(day: number): boolean {
    return this.#active.days?.includes(day) ?? true;
  }

  #wallTime(time: number): { readonly minute: number; readonly day: number } {
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, value]));
    const minute = Number(parts.get("hour")) * 60 + Number(parts.get("minute"));
    return { minute, day: WEEKDAYS.indexOf(parts.get("weekday") ?? "") };
  }
}
