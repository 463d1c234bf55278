import { isRecord, type JsonValue } from "@mdx-ai/base";
import type { RoutineTime } from "@mdx-ai/parser";

/** How a run ended, or why a time had none. */
export type RunOutcome =
  /** The model answered. */
  | "done"
  /** It had nothing to report. */
  | "quiet"
  /** The gate said no, so that no model was asked. */
  | "gated"
  /** The check of the result said no, again after each retry. */
  | "unmet"
  | "error"
  /** A limit was reached, before the run or within it. */
  | "limit"
  /** The user cancelled it. */
  | "aborted"
  /** No process ran, or the machine slept. */
  | "missed"
  /** The run before had not ended. */
  | "overlap"
  /** The heartbeat was paused. */
  | "paused"
  /** An error shortly before: the retry stands for it. */
  | "back-off";

/** Outcomes after which a task has failed. */
export const FAILURES: readonly RunOutcome[] = ["unmet", "error", "limit"];

/** Outcomes of times that had no run. */
export const NOT_RUN: readonly RunOutcome[] = ["missed", "limit"];

/** When a task of a module is due, which no file says. */
export interface TaskPlan {
  /** Not empty. */
  readonly times: readonly RoutineTime[];
  /** IANA name. Absent: the machine's time zone. */
  readonly timezone?: string;
}

/** What a run cost. */
interface Spent {
  readonly at: number;
  readonly usd: number;
  readonly tokens: number;
}

/** A run that has not ended. */
export interface OpenRun {
  readonly run: string;
  readonly at: number;
  readonly due: number;
  readonly count: number;
  readonly session?: string;
}

/** The state of a task. Times are milliseconds since 1970. */
export interface TaskState {
  /** The last time that has been accounted for; the next one counts from it. */
  readonly last: number;
  /** Failures since the last success. */
  readonly failures: number;
  /** When a failed run is tried again. */
  readonly retryAt?: number;
  readonly open?: OpenRun;
  /** The state of its gate. */
  readonly gate?: JsonValue;
  /** Of the last two days. */
  readonly spent: readonly Spent[];
  /** Whether its receivers know of a failure. */
  readonly isReported?: true;
  readonly isAsked?: true;
  /** Of a task that a module scheduled. */
  readonly plan?: TaskPlan;
}

interface Line {
  /** ISO 8601 in UTC, as all times here. */
  readonly at: string;
  readonly task: string;
}

/** A line of `state/heartbeat.jsonl`. */
export type HeartbeatLine =
  /** The task is known from now on: its first time counts from here. */
  | (Line & { readonly type: "planned"; readonly plan?: TaskPlan })
  /** Its module schedules it no more. */
  | (Line & { readonly type: "forgotten" })
  /** Stands for older lines, which were removed. */
  | (Line & { readonly type: "known"; readonly state: TaskState })
  | (Line & {
      readonly type: "began";
      /** The id of the run and of its prompt. Tasks that share a prompt share it. */
      readonly run: string;
      /** The last time that the run stands for. */
      readonly due: string;
      /** How many times it stands for. */
      readonly count: number;
      readonly session?: string;
    })
  | (Line & {
      readonly type: "ended";
      readonly run: string;
      readonly outcome: RunOutcome;
      /** US dollars for the answers with a known price. */
      readonly usd: number;
      readonly tokens: number;
      /** Why it failed, or why the gate or the check said no. */
      readonly reason?: string;
      /** That of the gate, for its next call. */
      readonly state?: JsonValue;
    })
  /** Times that have no run. */
  | (Line & {
      readonly type: "skipped";
      readonly due: string;
      readonly count: number;
      readonly outcome: RunOutcome;
      readonly reason?: string;
    })
  /** The receivers know that the task failed or has recovered. */
  | (Line & { readonly type: "notified"; readonly event: "failure" | "recovered" | "absence" })
  /** A person asks for a run now. */
  | (Line & { readonly type: "asked" })
  | { readonly type: "paused" | "resumed"; readonly at: string };

const TYPES: readonly string[] = [
  "planned",
  "forgotten",
  "known",
  "began",
  "ended",
  "skipped",
  "notified",
  "asked",
  "paused",
  "resumed",
];

/** Reads a line; undefined if it is damaged or of a later version. */
export function readHeartbeatLine(text: string): HeartbeatLine | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isLine(value: unknown): value is HeartbeatLine {
  if (!isRecord(value) || typeof value["type"] !== "string" || !TYPES.includes(value["type"])) return false;
  if (!isTime(value["at"])) return false;
  const { type } = value;
  if (type === "paused" || type === "resumed") return true;
  if (typeof value["task"] !== "string") return false;
  if (type === "known") return isState(value["state"]);
  if (type === "planned") return value["plan"] === undefined || isPlan(value["plan"]);
  if (type === "began") return typeof value["run"] === "string" && isTime(value["due"]) && isCount(value["count"]);
  if (type === "skipped")
    return isTime(value["due"]) && isCount(value["count"]) && typeof value["outcome"] === "string";
  if (type !== "ended") return true;
  return (
    ["run", "outcome"].every((key) => typeof value[key] === "string") &&
    isCount(value["usd"]) &&
    isCount(value["tokens"])
  );
}

const isPlan = (value: unknown): value is TaskPlan =>
  isRecord(value) &&
  (value["timezone"] === undefined || typeof value["timezone"] === "string") &&
  Array.isArray(value["times"]) &&
  value["times"].every(
    (time) => isRecord(time) && (isCount(time["milliseconds"]) || typeof time["expression"] === "string"),
  );

/** Only this program writes it: its parts are checked as far as arithmetic needs. */
const isState = (value: unknown): value is TaskState =>
  isRecord(value) &&
  isCount(value["last"]) &&
  isCount(value["failures"]) &&
  Array.isArray(value["spent"]) &&
  value["spent"].every((one) => isRecord(one) && ["at", "usd", "tokens"].every((key) => isCount(one[key]))) &&
  (value["retryAt"] === undefined || isCount(value["retryAt"])) &&
  (value["plan"] === undefined || isPlan(value["plan"])) &&
  (value["open"] === undefined || isOpenRun(value["open"]));

const isOpenRun = (value: unknown): value is OpenRun =>
  isRecord(value) && typeof value["run"] === "string" && ["at", "due", "count"].every((key) => isCount(value[key]));

const isTime = (value: unknown): boolean => typeof value === "string" && !Number.isNaN(Date.parse(value));
const isCount = (value: unknown): boolean => typeof value === "number" && value >= 0;
