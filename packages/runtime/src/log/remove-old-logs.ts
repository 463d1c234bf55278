import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readBytes, readOwnFile } from "../files/read-file.ts";
import { isSessionLogName } from "./session-log-name.ts";
import { isRecordLine } from "./session-record.ts";

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
