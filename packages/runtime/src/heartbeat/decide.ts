import type { TaskLimit } from "@mdx-ai/parser";
import { type DueTimes, MAX_PASSED, type PassedTimes } from "./due-times.ts";
import type { HeartbeatLine, RunOutcome, TaskPlan, TaskState } from "./heartbeat-record.ts";
import { backOff, type HeartbeatState } from "./heartbeat-state.ts";
import type { HeartbeatTask } from "./heartbeat-tasks.ts";

/** A task with its times. */
export interface TimedTask {
  readonly task: HeartbeatTask;
  readonly times: DueTimes;
}

/** A task that runs now. */
export interface DueTask {
  readonly task: HeartbeatTask;
  /** The last time that the run stands for, in milliseconds since 1970. */
  readonly due: number;
  /** How many times it stands for; none if a person or the start asks for it. */
  readonly count: number;
}

/** A time that had no run though it should have had one. */
export interface Absence {
  readonly task: HeartbeatTask;
  readonly reason: string;
}

export interface Decision {
  /** To be recorded before anything runs. */
  readonly lines: readonly HeartbeatLine[];
  readonly due: readonly DueTask[];
  readonly absences: readonly Absence[];
  /** When to decide again, if nothing happens before; undefined if nothing is ever due. */
  readonly next: number | undefined;
}

/** The clock of a decision, in milliseconds since 1970. */
export interface Moment {
  readonly now: number;
  /** Since when the process has looked at the clock without a gap. */
  readonly awake: number;
  /** Whether the process has just started. */
  readonly isStart?: boolean;
}

/** Times of cron are computed anew only if the clock was set back by more than this; after a smaller step, tasks would run twice. */
const GREAT_JUMP = 3_600_000;

/** Decides what is due. Reads no clock and changes nothing: the same input gives the same decision. */
export function decide(tasks: readonly TimedTask[], state: HeartbeatState, moment: Moment): Decision {
  const each = tasks.map((task) => decideTask(task, state, moment));
  const nexts = each.flatMap(({ next }) => next ?? []);
  return {
    lines: each.flatMap(({ lines }) => lines),
    due: each.flatMap(({ due }) => due ?? []),
    absences: each.flatMap(({ absences }) => absences ?? []),
    next: nexts.length === 0 ? undefined : Math.min(...nexts),
  };
}

interface TaskDecision {
  readonly lines: readonly HeartbeatLine[];
  readonly due?: DueTask;
  readonly absences?: readonly Absence[];
  readonly next?: number | undefined;
}

function decideTask(timed: TimedTask, state: HeartbeatState, moment: Moment): TaskDecision {
  const { task, times } = timed;
  const { now, isStart = false } = moment;
  const known = state.tasks.get(task.name);
  const plan = planOf(task);
  const isLost = known === undefined || isAhead(task, known.last, now) || !Bun.deepEquals(known.plan, plan);
  const last = isLost ? now : known.last;
  const line = { type: "planned", at: iso(now), task: task.name, ...(plan !== undefined && { plan }) } as const;
  const planned: readonly HeartbeatLine[] = isLost ? [line] : [];
  const own = withoutLateRetry({ failures: 0, spent: [], ...known, last }, now);
  const asks = own.isAsked === true || (isStart && task.directives.onStart === true && !state.isPaused);
  if (asks && own.open === undefined) {
    return { lines: planned, due: { task, due: now, count: 0 }, next: times.next(last) };
  }
  const found = decideTimes(timed, own, { ...moment, isPaused: state.isPaused });
  return { ...found, lines: [...planned, ...found.lines] };
}

/** What is recorded of a task whose times are in no file. */
function planOf({ isOfModule, times, timezone }: HeartbeatTask): TaskPlan | undefined {
  return isOfModule && { times, ...(timezone !== undefined && { timezone }) };
}

/** Whether the clock was set back so far that the next time would not come in time. */
function isAhead({ times }: HeartbeatTask, last: number, now: number): boolean {
  if (last <= now) return false;
  return last > now + GREAT_JUMP || times.every(({ type }) => type === "interval");
}

/** Without a retry that is later than any that is planned now: the clock was set back since. */
function withoutLateRetry(state: TaskState, now: number): TaskState {
  const { retryAt, ...rest } = state;
  return retryAt !== undefined && retryAt > now + backOff(state.failures) ? rest : state;
}

interface TaskMoment extends Moment {
  readonly isPaused: boolean;
}

function decideTimes(timed: TimedTask, own: TaskState, moment: TaskMoment): TaskDecision {
  const { task } = timed;
  const { now } = moment;
  const look = lookAt(timed, own, now);
  const { passed, isRetry, begins } = look;
  const waiting = whyWaiting(own, moment);
  const absences = waiting === "paused" || waiting === "back-off" ? [] : missedBefore(look, timed, moment);
  if (waiting !== undefined) {
    // A run that a killed process left open overlaps nothing while no process ran.
    const outcome = absences.length > 0 ? "missed" : waiting;
    return { ...notRun(look, { task, now, outcome }), absences };
  }
  if (passed === undefined && !isRetry) return { lines: [], next: begins };
  const limit = reachedLimit(task, own, now);
  if (limit !== undefined) {
    const reason = `the limit of the day is reached (${limit})`;
    return { ...notRun(look, { task, now, outcome: "limit", reason }), absences: passed ? [{ task, reason }] : [] };
  }
  const isSkipped = absences.length > 0 && task.directives.missed === "skip" && !isRetry;
  if (isSkipped) return { ...notRun(look, { task, now, outcome: "missed" }), absences };
  return { lines: [], due: { task, due: passed?.last ?? now, count: passed?.count ?? 0 }, absences, next: begins };
}

/** The times of a task around now. */
interface Look {
  /** The times that have passed and are not accounted for. */
  readonly passed: PassedTimes | undefined;
  readonly last: number;
  /** When the run of the next time begins. */
  readonly begins: number | undefined;
  readonly retryAt: number | undefined;
  /** Whether a failed run is tried again now. */
  readonly isRetry: boolean;
}

function lookAt({ times }: TimedTask, { last, retryAt }: TaskState, now: number): Look {
  const passed = times.passed(last, now);
  const following = times.next(passed?.last ?? last);
  const begins = following === undefined ? undefined : times.begins(following);
  return { passed, last, begins, retryAt, isRetry: retryAt !== undefined && retryAt <= now };
}

/** Why no run may begin now. */
function whyWaiting({ open, retryAt }: TaskState, { isPaused, now }: TaskMoment): RunOutcome | undefined {
  if (isPaused) return "paused";
  if (open !== undefined) return "overlap";
  return retryAt !== undefined && retryAt > now ? "back-off" : undefined;
}

interface NotRun {
  readonly task: HeartbeatTask;
  readonly now: number;
  readonly outcome: RunOutcome;
  readonly reason?: string;
}

/** Accounts for the times that have passed without a run. */
function notRun(look: Look, { task, now, outcome, reason }: NotRun): TaskDecision {
  const { passed, last, begins, retryAt, isRetry } = look;
  const next = outcome === "back-off" ? earlier(begins, retryAt) : begins;
  // A retry that a limit prevents ends there.
  if (passed === undefined && !(outcome === "limit" && isRetry)) return { lines: [], next };
  const due = iso(passed?.last ?? last);
  const line = { type: "skipped", at: iso(now), task: task.name, due, count: passed?.count ?? 0, outcome } as const;
  return { lines: [{ ...line, ...(reason !== undefined && { reason }) }], next };
}

/** The times that were missed while nobody looked at the clock. */
function missedBefore({ passed }: Look, { task, times }: TimedTask, { awake }: Moment): readonly Absence[] {
  if (passed === undefined) return [];
  if (passed.count < MAX_PASSED && times.begins(passed.last) >= awake) return [];
  return [
    {
      task,
      reason: `${counted(passed.count)} missed while no process ran or the machine slept, the last one at ${iso(passed.last)}`,
    },
  ];
}

const counted = (count: number): string => (count === 1 ? "one time was" : `${count} times were`);

const earlier = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

/** What is left of a limit of the day, and the limit if nothing is left. */
function reachedLimit(task: HeartbeatTask, state: TaskState, now: number): string | undefined {
  const left = leftToday(task, state, now);
  const { usd, tokens } = task.directives.dayLimit ?? {};
  if (left?.usd !== undefined && left.usd <= 0) return `usd=${usd}`;
  return left?.tokens !== undefined && left.tokens <= 0 ? `tokens=${tokens}` : undefined;
}

/** What is left of the limit of the day in the task's time zone; undefined without one. May be negative. */
export function leftToday(
  task: HeartbeatTask,
  { spent }: Pick<TaskState, "spent">,
  now: number,
): TaskLimit | undefined {
  const { dayLimit } = task.directives;
  if (dayLimit === undefined) return undefined;
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeZone: task.timezone });
  const today = format.format(now);
  const ofToday = spent.filter(({ at }) => format.format(at) === today);
  const { usd, tokens } = dayLimit;
  return {
    ...(usd !== undefined && { usd: usd - ofToday.reduce((sum, one) => sum + one.usd, 0) }),
    ...(tokens !== undefined && { tokens: tokens - ofToday.reduce((sum, one) => sum + one.tokens, 0) }),
  };
}

export const iso = (time: number): string => new Date(time).toISOString();
