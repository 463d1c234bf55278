import { basename } from "node:path";
import { attempt } from "@mdx-ai/base";
import { DueTimes } from "./due-times.ts";
import { FAILURES, type HeartbeatLine, NOT_RUN, type RunOutcome, type TaskState } from "./heartbeat-record.ts";
import { stateOf } from "./heartbeat-state.ts";
import { type HeartbeatPlan, type HeartbeatTask, heartbeatTasks } from "./heartbeat-tasks.ts";

/** A task and when it is due. Times are ISO 8601 in UTC. */
export interface TaskReport {
  readonly name: string;
  /** Null if it is never due again. */
  readonly next: string | null;
  /** Failures since the last success. */
  readonly failures: number;
  /** The time at which a run should have begun, if none did. */
  readonly overdue?: string;
  /** When the run that has not ended began. */
  readonly running?: string;
}

/** A run that has ended, or times that had none. */
export interface RunReport {
  readonly task: string;
  readonly at: string;
  readonly outcome: RunOutcome;
  readonly usd: number;
  readonly tokens: number;
  readonly reason?: string;
}

export interface HeartbeatReport {
  readonly tasks: readonly TaskReport[];
  /** In order. */
  readonly runs: readonly RunReport[];
  readonly isPaused: boolean;
}

/** The input of the report. */
export interface ReportPlan extends HeartbeatPlan {
  /** The module files, relative to the agent directory. */
  readonly modules: readonly string[];
}

export interface ReportMoment {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The beginning of the runs that are reported. */
  readonly since: number;
}

/** How late a run may begin before it counts as overdue, in milliseconds. */
const PATIENCE = 120_000;

/** What the heartbeat of an agent will do and has done. Never throws. */
export function heartbeatReport(
  plan: ReportPlan,
  lines: readonly HeartbeatLine[],
  { now, since }: ReportMoment,
): HeartbeatReport {
  const { tasks, isPaused } = stateOf(lines);
  return {
    tasks: [...heartbeatTasks(plan), ...moduleTasks(tasks, plan.modules)].map((task) =>
      taskReport(task, tasks.get(task.name), { now, isPaused }),
    ),
    runs: lines.flatMap((line) => runReport(line) ?? []).filter(({ at }) => Date.parse(at) >= since),
    isPaused,
  };
}

/** The tasks of modules that are there, as these scheduled them last. */
const moduleTasks = (states: ReadonlyMap<string, TaskState>, modules: readonly string[]): readonly HeartbeatTask[] =>
  [...states].flatMap(([name, { plan }]) => {
    const isThere = modules.some((file) => name.startsWith(`${basename(file, ".ts")}: `));
    return plan === undefined || !isThere ? [] : { name, ...plan, directives: {}, isOfModule: true as const };
  });

/** Whether something failed or did not run. */
export const hasProblem = ({ tasks, runs }: HeartbeatReport): boolean =>
  tasks.some(({ overdue, failures }) => overdue !== undefined || failures > 0) ||
  runs.some(({ outcome }) => FAILURES.includes(outcome) || NOT_RUN.includes(outcome));

function taskReport(
  task: HeartbeatTask,
  state: TaskState | undefined,
  { now, isPaused }: { readonly now: number; readonly isPaused: boolean },
): TaskReport {
  const times = attempt(() => new DueTimes(task));
  const last = state?.last ?? now;
  const following = times?.next(times.passed(last, now)?.last ?? last);
  const begins = following === undefined ? undefined : times?.begins(following);
  const { retryAt } = state ?? {};
  const next = retryAt === undefined ? begins : Math.min(retryAt, begins ?? retryAt);
  const missed = state && !state.open && !isPaused && !retryAt ? times?.passed(state.last, now - PATIENCE) : undefined;
  return {
    name: task.name,
    next: next === undefined ? null : iso(next),
    failures: state?.failures ?? 0,
    ...(missed && { overdue: iso(missed.last) }),
    ...(state?.open && { running: iso(state.open.at) }),
  };
}

function runReport(line: HeartbeatLine): RunReport | undefined {
  if (line.type !== "ended" && line.type !== "skipped") return undefined;
  const { task, at, outcome, reason } = line;
  const { usd, tokens } = line.type === "ended" ? line : { usd: 0, tokens: 0 };
  return { task, at, outcome, usd, tokens, ...(reason !== undefined && { reason }) };
}

const iso = (time: number): string => new Date(time).toISOString();
