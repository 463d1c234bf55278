import { lstatSync } from "node:fs";

/** What the names of one file have in common; undefined where nothing is there. Throws what the file system says. */
export function fileIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Whether two paths name one file that is there. Throws what the file system says. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one);
  return identity !== undefined && identity === fileIdentity(other);
}
