import type { SourcePoint } from "./diagnostic.ts";

/** When a routine task is due: every so many milliseconds, or at the times of a 5-field cron expression. */
export type RoutineTime =
  | { readonly type: "interval"; readonly milliseconds: number }
  | { readonly type: "cron"; readonly expression: string };

export interface RoutineTask {
  readonly name: string;
  readonly time: RoutineTime;
  readonly position: SourcePoint;
}

/** heartbeat.md. */
export interface HeartbeatDefinition {
  /** Milliseconds between two wake-ups; absent where the file names none. */
  readonly interval?: number;
  readonly onWake: readonly string[];
  readonly routines: readonly RoutineTask[];
  readonly contextReconstruction: readonly string[];
}
