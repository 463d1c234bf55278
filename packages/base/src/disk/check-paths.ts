import { existsSync, lstatSync, mkdirSync, type Stats } from "node:fs";
import { unlessTaken } from "../errors/system-error.ts";

/** An agent's own path is a symbolic link, which could lead elsewhere. */
class SymbolicLinkError extends Error {
  override readonly name = "SymbolicLinkError";

  constructor(path: string) {
    super(`${path} is a symbolic link, which is not followed; put the files themselves there`);
  }
}

/** Something other than an agent's own file or folder has its path. */
class WrongKindError extends Error {
  override readonly name = "WrongKindError";

  constructor(path: string, { found, wanted }: { readonly found: string; readonly wanted: string }) {
    super(`${path} is ${found} where ${wanted} should be; move it away, then try again`);
  }
}

/** Paths that an agent writes to. They need not exist. */
export interface OwnPaths {
  /** From the outermost to the innermost. */
  readonly folders?: readonly string[];
  readonly files?: readonly string[];
}

/**
 * Checks the paths that an agent writes to: none may be a link or of the wrong kind. Throws `SymbolicLinkError` or `WrongKindError`, which name the path,
 * or what the file system says.
 */
export function checkPaths({ folders = [], files = [] }: OwnPaths): void {
  const check = (path: string, wanted: string): void => {
    const stats = ownStats(path);
    const found = stats && kindOf(stats);
    if (found !== undefined && found !== wanted) throw new WrongKindError(path, { found, wanted });
  };
  for (const path of folders) check(path, "a folder");
  for (const path of files) check(path, "a file");
}

/** Throws `SymbolicLinkError` if one of these paths is a symbolic link, or what the file system says. They need not exist. */
export function refuseLinks(paths: readonly string[]): void {
  for (const path of paths) ownStats(path);
}

/**
 * Makes a folder for its owner alone, unless it exists. Folders above are never made, so that a removed agent directory stays
 * removed. Throws as `checkPaths` does.
 */
export function makeOwnFolder(path: string): void {
  checkPaths({ folders: [path] });
  if (!existsSync(path)) unlessTaken(() => mkdirSync(path, { mode: 0o700 }));
}

function ownStats(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw new SymbolicLinkError(path);
  return stats;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFile() ? "a file" : "a pipe, a device or the like";
}
