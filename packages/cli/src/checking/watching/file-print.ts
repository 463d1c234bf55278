import { type BigIntStats, statSync } from "node:fs";

/** What changes when one of the files does: a file that is replaced, written, removed or made. */
export const filesPrint = (paths: readonly string[]): string => paths.map((path) => filePrint(path)).join("\n");

/** Whether one of them was written after a time in milliseconds of the epoch, as far as the file system tells. */
export const changedSince = (paths: readonly string[], time: number): boolean =>
  paths.some((path) => Number(statsOf(path)?.mtimeMs ?? 0) > time);

function filePrint(path: string): string {
  const stats = statsOf(path);
  if (stats === undefined) return `${path} -`;
  // The times of a folder say what was put into it or taken out.
  return [path, stats.ino, stats.mtimeNs, stats.isDirectory() ? "" : stats.size].join(" ");
}

function statsOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Not reachable is as good as not there.
    return undefined;
  }
}
