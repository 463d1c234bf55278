import { constants } from "node:fs";
import { lstat, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { LogOptions } from "./agent-log.ts";
import { DeferredWork } from "./deferred-work.ts";
import { lineText } from "./line-text.ts";
import { isSessionLogName } from "./session-log-name.ts";
import { isRecordLine } from "./session-record.ts";

const DAY = 86_400_000;

/** Logs that are kept for a while only. Nothing here waits for the disk, throws or rejects. */
export interface OldLogs {
  /** A prompt begins: soon, out of its way, logs that are too old are removed; once a day. */
  look(): void;
  /** Resolves when what was begun is done. */
  settled(): Promise<void>;
}

export interface OldLogsOptions extends LogOptions {
  /** How long a log is kept to which nothing is written. */
  readonly days: number;
  /** Resolves when all that is noted by now is in its files: what goes on being written to is not old. */
  written(): Promise<void>;
}

/** Logs that are kept for ever. */
export const keptLogs: OldLogs = { look: () => {}, settled: async () => {} };

/** Has logs removed that are too old. Nothing is looked at before the first prompt. */
export function openOldLogs(options: OldLogsOptions): OldLogs {
  const { directory, clock, days, onWarning } = options;
  const removing = new DeferredWork(
    async () => {
      await options.written();
      await removeOldLogs(directory, clock.now() - days * DAY);
    },
    (error) => onWarning?.(`old logs could not be removed: ${lineText(error)}`),
  );
  let next = Number.NEGATIVE_INFINITY;
  let isDue = false;
  return {
    look() {
      if (clock.now() < next) return;
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
 * Removes the logs in a folder to which nothing was written since `before` (milliseconds since 1970). What no agent has made
 * there stays; links are not followed and stay, too. Goes on where a file cannot be removed, then rejects with the first failure.
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
  // Anybody may call a file `notes.jsonl`.
  if (path.endsWith(".jsonl") && !isRecordLine(await beginning(path))) return;
  await rm(path, { force: true });
}

/** Enough of a line to tell what it is. */
const BEGINNING = 256;

async function beginning(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(BEGINNING), 0, BEGINNING, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await file.close();
  }
}
