import { renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** A time, in milliseconds since 1970, for a file's name: ISO 8601 without colons, which some file systems refuse. */
export const timeName = (time: number): string => new Date(time).toISOString().replaceAll(":", "-");

/**
 * Renames a file of `state/` that cannot be understood, such as `memory.json` to `memory.broken-2026-11-21T09-00-00.000Z.json`,
 * so that nothing is lost. `now` is milliseconds since 1970. Returns a line that says so. Throws what the file system says.
 */
export function setAside(path: string, now: number): string {
  const name = basename(path, ".json");
  const aside = `${name}.broken-${timeName(now)}.json`;
  renameSync(path, join(dirname(path), aside));
  return `state/${name}.json cannot be understood and was set aside as state/${aside}`;
}
