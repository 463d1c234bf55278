import { attempt } from "@mdx-ai/base";
import { type HeartbeatPlan, nextTime, type ScheduleEntry, scheduleEntries } from "./schedule.ts";

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
