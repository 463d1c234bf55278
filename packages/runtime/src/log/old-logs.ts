import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFolder, readBytes, readPrivateFile } from "@mdx-ai/base/disk";
import { isSessionLogName } from "@mdx-ai/sessions";
import { DeferredWork, type LogOptions } from "./agent-log.ts";
import { isRecordLine } from "./session-record.ts";

const DAY = 86_400_000;

/** Removes expired logs. No method blocks on the disk, throws or rejects. */
export interface OldLogs {
  /** Call it when a prompt begins. Removes expired logs while the model answers: once a day, and after a change of the setting. */
  look(): void;
  /** Resolves when running work is done. */
  settled(): Promise<void>;
}

export interface OldLogsOptions extends LogOptions {
  /** For how many days a log without new lines is kept; undefined: forever. Read at each `look`, since settings change. */
  readonly days: () => number | undefined;
  /** Resolves when all earlier lines are in their files: a log with pending lines is not old. */
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
 * Removes the logs in a folder that were last written before `before` (milliseconds since 1970). Other files
 * and links stay. If a file cannot be removed, continues with the rest, then rejects with the first failure.
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
  // The user may keep a file such as `notes.jsonl` here.
  if (path.endsWith(".jsonl") && !isRecordLine(readPrivateFile(path, beginning))) return;
  rmSync(path, { force: true });
}

/** Bytes that are enough to recognize a line. */
const BEGINNING = 256;

const beginning = (descriptor: number): string => readBytes(descriptor, 0, BEGINNING).toString("utf8");
