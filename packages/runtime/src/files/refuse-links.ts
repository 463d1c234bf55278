import { lstatSync } from "node:fs";

/** What stands where an agent's own files should be leads elsewhere. */
class SymbolicLinkError extends Error {
  override readonly name = "SymbolicLinkError";

  constructor(path: string) {
    super(`${path} is a symbolic link, which is not followed; put the files themselves there`);
  }
}

/**
 * Makes sure that what an agent records stays in its directory: throws `SymbolicLinkError` where one of these paths is a
 * symbolic link, or what the file system says. What is not there yet is all right.
 */
export function refuseLinks(paths: readonly string[]): void {
  for (const path of paths) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) throw new SymbolicLinkError(path);
  }
}
