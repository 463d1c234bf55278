import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../attempt.ts";

/** A walk that has visited so many entries enters no further folder. */
const MOST_ENTRIES = 20_000;

/** What the kernel makes up: no files of anybody. */
const UNREAL: readonly string[] = ["/proc", "/sys", "/dev"];

/**
 * Visits what is in a folder and, where `visit` returns true for a folder, what is in that; what is nearest comes first. Links are
 * visited, not followed. False if there was too much to visit it all. Never throws, unless `visit` does.
 */
export function walkFolder(folder: string, visit: (path: string, entry: Dirent) => boolean): boolean {
  const waiting = [folder];
  let left = MOST_ENTRIES;
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (left <= 0) return false;
    for (const entry of entriesOf(next)) {
      left -= 1;
      const path = join(next, entry.name);
      if (!UNREAL.includes(path) && visit(path, entry) && entry.isDirectory()) waiting.push(path);
    }
  }
  return true;
}

const entriesOf = (folder: string): readonly Dirent[] =>
  attempt(() => readdirSync(folder, { withFileTypes: true })) ?? [];
