import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFolder, readBytes, readPrivateFile } from "@mdx-ai/base/disk";
import { isSessionLogName } from "@mdx-ai/sessions";
import { DeferredWork, type LogOptions } from "./agent-log.ts";
import { isRecordLine } from "./session-record.ts";

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

/**
 * Removes the logs in a folder to which nothing was written since `before` (milliseconds since 1970). Files that no agent has made
 * stay, and so do links. Continues after a file cannot be removed, then rejects with the first failure.
 */
export async function removeOldLogs(directory: string, before: number): Promise<void> {
  const failures: unknown[] = [];
  const names = isFolder(directory) ? readdirSync(directory) : [];
  for (const name of names.filter((one) => isDayLogName(one) || isSessionLogName(one))) {
    try {
      removeOld(join(directory, name), before);
    } catch (error) {
      failures.push(error);
    }
    // There may be many.
    await Bun.sleep(0);
  }
  if (failures.length > 0) throw failures[0];
}

const isDayLogName = (name: string): boolean => /^\d{4}-\d\d-\d\d\.log$/.test(name);

function removeOld(path: string, before: number): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.mtimeMs >= before) return;
  // A user's own file may be called `notes.jsonl`.
  if (path.endsWith(".jsonl") && !isRecordLine(readPrivateFile(path, beginning))) return;
  rmSync(path, { force: true });
}

/** Enough of a line to recognize it. */
const BEGINNING = 256;

const beginning = (descriptor: number): string => readBytes(descriptor, 0, BEGINNING).toString("utf8");
