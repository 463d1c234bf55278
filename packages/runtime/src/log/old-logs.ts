import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readBytes, readOwnFile } from "../files/read-whole-file.ts";
import type { LogOptions } from "./agent-log.ts";
import { DeferredWork } from "./deferred-work.ts";
import { lineText } from "./line-text.ts";
import { isSessionLogName } from "./session-log-name.ts";
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
  /** How long a log is kept to which nothing is written; for ever if undefined. Read at each call of `look`, since settings change. */
  readonly days: () => number | undefined;
  /** Resolves when all earlier lines are in their files: a log that is still written to is not old. */
  written(): Promise<void>;
}

/** Keeps all logs. */
export const keptLogs: OldLogs = { look: () => {}, settled: async () => {} };

/** Nothing is checked before the first prompt. */
export function openOldLogs({ directory, clock, days, written, onWarning }: OldLogsOptions): OldLogs {
  let kept: number | undefined;
  let next = Number.NEGATIVE_INFINITY;
  let isDue = false;
  const removing = new DeferredWork(
    async () => {
      await written();
      if (kept !== undefined) await removeOldLogs(directory, clock.now() - kept * DAY);
    },
    (error) => onWarning?.(`old logs could not be removed: ${lineText(error)}`),
  );
  return {
    look() {
      const before = kept;
      kept = days();
      if (kept === undefined || (kept === before && clock.now() < next)) return;
      next = clock.now() + DAY;
      isDue = true;
      removing.soon();
    },
    async settled() {
      if (isDue) await removing.settled();
      isDue = false;
    },
  };
}

/**
 * Removes the logs in a folder to which nothing was written since `before` (milliseconds since 1970). Files that no agent has made
 * stay, and so do links. Continues after a file cannot be removed, then rejects with the first failure.
 */
export async function removeOldLogs(directory: string, before: number): Promise<void> {
  const failures: unknown[] = [];
  for (const name of await logNames(directory)) {
    await removeOld(join(directory, name), before).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function logNames(directory: string): Promise<readonly string[]> {
  const stats = await lstat(directory).catch(() => undefined);
  if (!stats?.isDirectory()) return [];
  return (await readdir(directory)).filter((name) => isDayLogName(name) || isSessionLogName(name));
}

const isDayLogName = (name: string): boolean => /^\d{4}-\d\d-\d\d\.log$/.test(name);

async function removeOld(path: string, before: number): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (!stats?.isFile() || stats.mtimeMs >= before) return;
  // A user's own file may be called `notes.jsonl`.
  if (path.endsWith(".jsonl") && !isRecordLine(readOwnFile(path, beginning))) return;
  await rm(path, { force: true });
}

/** Enough of a line to recognize it. */
const BEGINNING = 256;

const beginning = (descriptor: number): string => readBytes(descriptor, 0, BEGINNING).toString("utf8");
