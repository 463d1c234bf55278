import { lstat, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { cacheFileKind } from "./cache-entry.ts";

const millisecondsOfDay = 24 * 60 * 60 * 1000;

/** What a cache folder holds at most after it was pruned. */
const mostEntries = 500;
const mostDaysUnused = 30;

/** Its time of change says when the folder was last pruned. */
const marker = "last-pruned";

/** Prunes the folder unless that was done within a day of `now`. Processes that start at the same moment may both do so, which is harmless. */
export async function pruneDaily(folder: string, now: number): Promise<void> {
  const path = join(folder, marker);
  const last = await modificationTime(path);
  if (last !== undefined && Math.abs(now - last) < millisecondsOfDay) return;
  if (last === undefined) await writeFile(path, "", { flag: "wx", mode: 0o600 });
  else await utimes(path, new Date(now), new Date(now));
  await pruneDefinitions(folder, now);
}

/**
 * Removes entries that were not used for 30 days, and of the others all but the 500 that were used last; drafts that are
 * older than a day, left by a crash, are removed too. Other files stay. `now` is in milliseconds of the epoch.
 */
export async function pruneDefinitions(folder: string, now: number): Promise<void> {
  const entries: { readonly path: string; readonly used: number }[] = [];
  for (const name of await readdir(folder)) {
    const kind = cacheFileKind(name);
    if (kind === undefined) continue;
    const path = join(folder, name);
    const used = await modificationTime(path);
    if (used === undefined) continue;
    const mostDays = kind === "draft" ? 1 : mostDaysUnused;
    if (now - used > mostDays * millisecondsOfDay) await remove(path);
    else if (kind === "entry") entries.push({ path, used });
  }
  const surplus = entries.sort((one, other) => other.used - one.used).slice(mostEntries);
  for (const { path } of surplus) await remove(path);
}

/** Undefined if it is not a regular file, or was removed meanwhile. */
async function modificationTime(path: string): Promise<number | undefined> {
  try {
    const stats = await lstat(path);
    return stats.isFile() ? stats.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}

/** Another process may have removed it. */
async function remove(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => {});
}
