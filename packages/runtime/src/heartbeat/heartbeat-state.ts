import { FAILURES, type HeartbeatLine, type TaskState } from "./heartbeat-record.ts";

/** What the lines of `state/heartbeat.jsonl` say. */
export interface HeartbeatState {
  readonly tasks: ReadonlyMap<string, TaskState>;
  readonly isPaused: boolean;
}

export const NO_STATE: HeartbeatState = { tasks: new Map(), isPaused: false };

const MINUTE = 60_000;
/** How long after the first, second and further errors in a row a task is tried again. */
const BACK_OFF: readonly number[] = [MINUTE, 5 * MINUTE, 30 * MINUTE];

/** How long after an error a task is tried again; `failures` counts it. In milliseconds. */
export const backOff = (failures: number): number => BACK_OFF[Math.min(failures, BACK_OFF.length) - 1] ?? MINUTE;

const TWO_DAYS = 48 * 60 * MINUTE;

/** The state after a line. */
export function withLine(state: HeartbeatState, line: HeartbeatLine): HeartbeatState {
  if (isOfAll(line)) return { ...state, isPaused: line.type === "paused" };
  if (line.type === "forgotten") {
    return { ...state, tasks: new Map([...state.tasks].filter(([name]) => name !== line.task)) };
  }
  const before = state.tasks.get(line.task);
  const at = Date.parse(line.at);
  const task = taskAfter(before ?? { last: at, failures: 0, spent: [] }, line, at);
  return { ...state, tasks: new Map(state.tasks).set(line.task, task) };
}

/** The state after lines, in their order. */
export const stateOf = (lines: Iterable<HeartbeatLine>, from: HeartbeatState = NO_STATE): HeartbeatState =>
  Iterator.from(lines).reduce(withLine, from);

type AgentLine = Extract<HeartbeatLine, { type: "paused" | "resumed" }>;

type TaskLine = Exclude<HeartbeatLine, AgentLine | { type: "forgotten" }>;

const isOfAll = (line: HeartbeatLine): line is AgentLine => line.type === "paused" || line.type === "resumed";

function taskAfter(task: TaskState, line: TaskLine, at: number): TaskState {
  switch (line.type) {
    case "planned": {
      const { plan: _plan, ...rest } = task;
      return { ...rest, last: at, ...(line.plan !== undefined && { plan: line.plan }) };
    }
    case "began": {
      const { run, count, session } = line;
      const { retryAt: _retry, isAsked: _asked, ...rest } = task;
      const due = Date.parse(line.due);
      // A run that was asked for is for no time.
      const last = count === 0 ? task.last : Math.max(task.last, due);
      return { ...rest, last, open: { run, at, due, count, ...(session !== undefined && { session }) } };
    }
    case "ended":
      return ended(task, line, at);
    case "skipped": {
      const { retryAt, ...rest } = task;
      const isKept = retryAt !== undefined && line.outcome !== "limit";
      return { ...rest, last: Math.max(task.last, Date.parse(line.due)), ...(isKept && { retryAt }) };
    }
    case "notified": {
      const { isReported, ...rest } = task;
      if (line.event === "absence") return task;
      return line.event === "failure" ? { ...rest, isReported: true } : rest;
    }
    case "known":
      return line.state;
    case "asked":
      return { ...task, isAsked: true };
  }
}

function ended(task: TaskState, line: Extract<HeartbeatLine, { type: "ended" }>, at: number): TaskState {
  const { open: _open, ...rest } = task;
  const { outcome, usd, tokens, state } = line;
  const failures = FAILURES.includes(outcome) ? task.failures + 1 : outcome === "aborted" ? task.failures : 0;
  const spent = [...task.spent.filter((one) => one.at > at - TWO_DAYS), { at, usd, tokens }];
  return {
    ...rest,
    failures,
    spent: usd + tokens === 0 ? task.spent : spent,
    // What reached a limit or did not pass its check would cost the same again.
    ...(outcome === "error" && { retryAt: at + backOff(failures) }),
    ...(state !== undefined && { gate: state }),
  };
}
