import { dirname, resolve } from "node:path";

/** Where the modules of a compiled executable live. */
const COMPILED = "/$bunfs/";

/** What this program needs to be seen where it runs again: its executable, and its sources where it runs from those. */
export function programPlaces(): readonly string[] {
  const { execPath } = process;
  if (import.meta.dir.startsWith(COMPILED)) return [execPath];
  // The sources stand in one folder with the packages that they use.
  return [dirname(execPath), resolve(import.meta.dir, "../../../..")];
}
