import { attempt } from "@mdx-ai/base";
import { DueTimes } from "./due-times.ts";
import { type HeartbeatPlan, type HeartbeatTask, heartbeatTasks } from "./heartbeat-tasks.ts";

/** A task of the heartbeat, and when it is due next. JSON. */
export interface WakeView {
  /** "On Wake" for the schedule. */
  readonly task: string;
  /** Milliseconds between wakes. */
  readonly interval?: number;
  /** Cron expressions in `timezone`; not empty. */
  readonly cron?: readonly string[];
  /** IANA name. Default: this machine's. */
  readonly timezone: string;
  /** The next five times if the agent starts now; ISO 8601, UTC. */
  readonly next: readonly string[];
}

const SHOWN = 5;

/** The tasks of an agent's heartbeat with their next times after `now` (milliseconds since 1970). */
export function wakeViews(plan: HeartbeatPlan, now: number): readonly WakeView[] {
  const local = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return upcomingWakes(plan, now, SHOWN).map(({ task: { name, times: written, timezone }, times }) => {
    const intervals = written.flatMap((time) => (time.type === "interval" ? time.milliseconds : []));
    const cron = written.flatMap((time) => (time.type === "cron" ? time.expression : []));
    return {
      task: name,
      ...(intervals[0] !== undefined && { interval: intervals[0] }),
      ...(cron.length > 0 && { cron }),
      timezone: timezone ?? local,
      next: times.map((next) => new Date(next).toISOString()),
    };
  });
}

/** The next times of a task. */
interface UpcomingWakes {
  readonly task: HeartbeatTask;
  /** Milliseconds since 1970, in order; fewer if the task is never due again. */
  readonly times: readonly number[];
}

/** The next times of each task, for an agent that starts at `now` (milliseconds since 1970). Never throws. */
function upcomingWakes(plan: HeartbeatPlan, now: number, count: number): readonly UpcomingWakes[] {
  return heartbeatTasks(plan).map((task) => ({ task, times: nextTimes(task, now, count) }));
}

const DAY = 86_400_000;
/** The days, and the times of a task, from which the wakes of a day are computed. */
const DAYS = 7;
const MAX_TIMES = 11_000;

/**
 * How often a day the model is asked although nothing is to be done: tasks that are due at the same time share a wake, and a gate says no
 * without a model. An average of the next week. Never throws.
 */
export function wakesPerDay(plan: HeartbeatPlan, now: number): number {
  const ungated = heartbeatTasks(plan).filter(({ directives }) => directives.gate === undefined);
  const times = ungated.flatMap((task) => nextTimes(task, now, MAX_TIMES));
  const ofWeek = times.filter((time) => time <= now + DAYS * DAY);
  return new Set(ofWeek).size / DAYS;
}

/** The next times of a task after `from`, both in milliseconds since 1970; none if they cannot be computed. Never throws. */
export function nextTimes(task: HeartbeatTask, from: number, count: number): readonly number[] {
  const due = attempt(() => new DueTimes(task));
  const times: number[] = [];
  for (let next = due?.next(from); next !== undefined && times.length < count; next = due?.next(next)) times.push(next);
  return times;
}
