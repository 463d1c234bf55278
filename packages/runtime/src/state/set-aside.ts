import { renameSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { timeName } from "../files/time-name.ts";

/**
 * Renames a file of `state/` that cannot be understood, such as `memory.json` to `memory.broken-2026-11-21T09-00-00.000Z.json`,
 * so that nothing is lost. `now` is milliseconds since 1970. Gives a line that says so. Throws what the file system says.
 */
export function setAside(path: string, now: number): string {
  const name = basename(path, ".json");
  const aside = `${name}.broken-${timeName(now)}.json`;
  renameSync(path, join(dirname(path), aside));
  return `state/${name}.json cannot be understood and was set aside as state/${aside}`;
}
