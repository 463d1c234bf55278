import type { LogOptions } from "./agent-log.ts";
import { DeferredWork } from "./deferred-work.ts";

const DAY = 86_400_000;

/** Removes logs that are too old. Nothing here waits for the disk, throws or rejects. */
export interface OldLogs {
  /** Call it when a prompt begins. Logs that are too old are removed soon after, while the model answers; once a day, and after a change of the days. */
  look(): void;
  /** Resolves when the work that has begun is done. */
  settled(): Promise<void>;
}

export interface OldLogsOptions extends LogOptions {
  /** For how many days a log without new lines is kept; forever if undefined. Read at each `look`, since settings change. */
  readonly days: () => number | undefined;
  /** Resolves when all earlier lines are in their files: a log that is still written to is not old. */
  written(): Promise<void>;
}

/** Nothing is checked before the first prompt. */
export function openOldLogs({ directory, clock, days, written, onWarning }: OldLogsOptions): OldLogs {
  let kept: number | undefined;
  let next = Number.NEGATIVE_INFINITY;
  const remove = async (): Promise<void> => {
    await written();
    if (kept === undefined) return;
    const { removeOldLogs } = await import("./remove-old-logs.ts");
    await removeOldLogs(directory, clock.now() - kept * DAY);
  };
  const removing = new DeferredWork(remove, { failure: "old logs could not be removed", onWarning });
  return {
    look() {
      const before = kept;
      kept = days();
      if (kept === undefined || (kept === before && clock.now() < next)) return;
      next = clock.now() + DAY;
      removing.soon();
    },
    settled: () => removing.settled(),
  };
}
