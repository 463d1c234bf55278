import { lstatSync, readdirSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import { attempt, pauses } from "@mdx-ai/base";
import type { CommandLine, SeenFile } from "./checkpoint-line.ts";
import { currentHash } from "./checkpoint-store.ts";

/** Entries that are looked at, and changed files that are listed. */
const MOST_ENTRIES = 20_000;
const MOST_CHANGED = 500;

/** Bytes that are read of the files of which nothing is known: what a command leaves may be large. */
const MOST_READ = 64 * 1024 * 1024;

/** Milliseconds for which the walk may hold this thread before others have a turn. */
const SLICE = 2;

/** Milliseconds that may be between the times which one renaming gives a file and its folder. */
const SAME_RENAMING = 10;

/** Folders of tools that rewrite thousands of files, which those tools restore. */
const PASSED_OVER: ReadonlySet<string> = new Set([".git", "node_modules"]);

/** Where and since when files are looked for. */
export interface ChangeSearch {
  /** Absolute. */
  readonly folder: string;
  /** Milliseconds since 1970: the file system's time of a change is compared with it. */
  readonly since: number;
  /** Folders that are left out. Absolute. */
  readonly outside: readonly string[];
  /** Whether a builtin tool wrote the file. */
  readonly isOwn: (path: string) => boolean;
  /** Whether an earlier hash of the file is known, with which that of now is compared. */
  readonly isKnown?: (path: string) => boolean;
}

/**
 * The files below a folder that were created or changed since a moment, by whomever, and the folders that lost entries: only their
 * times show it. A folder that also got a new entry is not among them. Links are not followed. Never rejects.
 */
export async function changedFiles(search: ChangeSearch): Promise<Pick<CommandLine, "changed" | "isWhole">> {
  const { folder: root, since, isKnown = () => false } = search;
  const folders = [root];
  const changed: SeenFile[] = [];
  let entries = 0;
  let unread = MOST_READ;
  const pause = pauses(SLICE);
  for (const folder of folders) {
    const found = entriesOf(folder);
    entries += found.length;
    if (entries > MOST_ENTRIES || changed.length >= MOST_CHANGED) return { changed, isWhole: false };
    folders.push(...found.flatMap(({ path, stats }) => (isEntered(path, stats, search) ? path : [])));
    changed.push(...lostEntries(folder, found, search));
    for (const { path, stats } of changedAmong(found, since)) {
      const isRead = isKnown(path) || stats.size <= unread;
      if (isRead) unread -= stats.size;
      changed.push(isRead ? seenFile(path) : { path });
      await pause();
    }
    await pause();
  }
  return { changed, isWhole: true };
}

const changedAmong = (found: readonly FoundEntry[], since: number): readonly FoundEntry[] =>
  found.filter(({ stats }) => stats.isFile() && stats.ctimeMs >= since);

interface FoundEntry {
  readonly path: string;
  readonly stats: Stats;
}

function entriesOf(folder: string): readonly FoundEntry[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return names.slice(0, MOST_ENTRIES + 1).flatMap((name) => {
    const path = join(folder, name);
    const stats = attempt(() => lstatSync(path));
    return stats === undefined ? [] : { path, stats };
  });
}

const isEntered = (path: string, stats: Stats, { outside }: ChangeSearch): boolean =>
  stats.isDirectory() && !PASSED_OVER.has(basename(path)) && !outside.includes(path);

/** The folder itself if its list of entries changed, and neither a new entry nor a builtin tool that replaced one explains that. */
function lostEntries(
  folder: string,
  found: readonly FoundEntry[],
  { since, isOwn }: ChangeSearch,
): readonly SeenFile[] {
  const stats = attempt(() => lstatSync(folder));
  if (stats === undefined || stats.mtimeMs < since || stats.birthtimeMs >= since) return [];
  const isReplaced = (entry: FoundEntry): boolean =>
    Math.abs(entry.stats.ctimeMs - stats.mtimeMs) <= SAME_RENAMING && isOwn(entry.path);
  return found.some((entry) => isNew(entry, since) || isReplaced(entry)) ? [] : [{ path: folder, isFolder: true }];
}

/** Some file systems know no time of birth. */
const isNew = ({ stats: { birthtimeMs, ctimeMs } }: FoundEntry, since: number): boolean =>
  (birthtimeMs > 0 ? birthtimeMs : ctimeMs) >= since;

function seenFile(path: string): SeenFile {
  const hash = currentHash(path);
  return { path, ...(hash !== undefined && { hash }) };
}
