import { appendLines } from "../files/line-file.ts";
import { dataLayout } from "../layout.ts";
import type { PromptOutcome } from "../types/module.ts";
import type { Appointment } from "./appointment.ts";

/** A line of `state/heartbeat.jsonl`. */
export interface WakeRecord {
  /** When the wake began, ISO 8601 in UTC. */
  readonly at: string;
  /** Such as "interval; routine: Daily summary". */
  readonly reason: string;
  readonly outcome: PromptOutcome;
  readonly durationMs: number;
}

/** What was due, in words. */
export function wakeReason(due: readonly Appointment[]): string {
  return due.map(({ task }) => (task === undefined ? "interval" : `routine: ${task}`)).join("; ");
}

/** Adds a line to `state/heartbeat.jsonl` of `dataDir` (absolute). Throws what the file system says. */
export function appendWakeRecord(dataDir: string, record: WakeRecord): void {
  appendLines(dataLayout(dataDir).heartbeatRecord, [JSON.stringify(record)]);
}
