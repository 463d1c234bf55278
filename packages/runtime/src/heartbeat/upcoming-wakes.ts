import { attempt } from "@mdx-ai/base";
import { type HeartbeatPlan, nextTime, type ScheduleEntry, scheduleEntries } from "./schedule.ts";

/** An entry of the schedule, and when it triggers next. JSON. */
export interface WakeView {
  /** The routine task; absent for the interval. */
  readonly task?: string;
  /** Milliseconds between wakes. */
  readonly interval?: number;
  /** A five-field cron expression in `timezone`. */
  readonly cron?: string;
  /** IANA name. Default: this machine's. */
  readonly timezone: string;
  /** The next three times if the agent starts now; ISO 8601, UTC. */
  readonly next: readonly string[];
}

const SHOWN = 3;

/** The entries of an agent's schedule with their next times after `now` (milliseconds since 1970). */
export function wakeViews(plan: HeartbeatPlan, now: number): readonly WakeView[] {
  const timezone = plan.settings.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return upcomingWakes(plan, now, SHOWN).map(({ entry: { task, time }, times }) => ({
    ...(task !== undefined && { task }),
    ...(time.type === "interval" ? { interval: time.milliseconds } : { cron: time.expression }),
    timezone,
    next: times.map((next) => new Date(next).toISOString()),
  }));
}

/** The next wakes for one entry of the schedule. */
export interface UpcomingWakes {
  readonly entry: ScheduleEntry;
  /** Milliseconds since 1970, in order; fewer if the entry is never due again. */
  readonly times: readonly number[];
}

/** The next wakes of each entry of the schedule, for an agent that starts at `now` (milliseconds since 1970). Never throws. */
export function upcomingWakes(plan: HeartbeatPlan, now: number, count: number): readonly UpcomingWakes[] {
  return scheduleEntries(plan).map((entry) => {
    const times: number[] = [];
    while (times.length < count) {
      const next = attempt(() => nextTime(entry.time, times.at(-1) ?? now, plan.settings.timezone));
      if (next === undefined) break;
      times.push(next);
    }
    return { entry, times };
  });
}
