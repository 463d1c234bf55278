import type { RoutineTime } from "@mdx-ai/parser";
import { errorMessage } from "../error-message.ts";

/** A model that is asked more often than this would be a mistake of the author's. */
const SHORTEST_INTERVAL = 1_000;

/** A time of a schedule that cannot be told: a wrong expression, an unknown time zone, a day that never comes. */
class ScheduleError extends Error {
  override readonly name = "ScheduleError";
}

/**
 * When a time comes next after `from` (both milliseconds since 1970); an interval counts from there.
 * Cron expressions are read in `timezone` (IANA), else where the machine stands. Throws `ScheduleError`.
 */
export function nextTime(time: RoutineTime, from: number, timezone: string | undefined): number {
  switch (time.type) {
    case "interval":
      return from + Math.max(time.milliseconds, SHORTEST_INTERVAL);
    case "cron":
      return nextCronTime(time.expression, from, timezone);
  }
}

function nextCronTime(expression: string, from: number, timezone: string | undefined): number {
  let next: Date | null;
  try {
    next = Bun.cron.parse(expression, from, timezone === undefined ? {} : { tz: timezone });
  } catch (cause) {
    throw new ScheduleError(errorMessage(cause), { cause });
  }
  if (next === null) throw new ScheduleError(`the time of ${JSON.stringify(expression)} never comes`);
  return next.getTime();
}
