import { lstatSync, type Stats } from "node:fs";
import { refuseLinks } from "./refuse-links.ts";

/** Something else stands where an agent's own file or folder should be. */
class WrongPlaceError extends Error {
  override readonly name = "WrongPlaceError";

  constructor(path: string, [found, wanted]: readonly [string, string]) {
    super(`${path} is ${found} where ${wanted} should be; move it away, then try again`);
  }
}

/** The paths that an agent records in. What is not there yet is all right. */
export interface OwnPlaces {
  /** From the outermost inwards. */
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

/**
 * Makes sure that what an agent records goes where it should. Throws `SymbolicLinkError` or `WrongPlaceError`, which name
 * the path, or what the file system says.
 */
export function checkPlaces({ folders, files }: OwnPlaces): void {
  for (const path of folders) check(path, (stats) => (stats.isDirectory() ? undefined : [kindOf(stats), "a folder"]));
  for (const path of files) check(path, (stats) => (stats.isFile() ? undefined : [kindOf(stats), "a file"]));
}

function check(path: string, complaintAbout: (stats: Stats) => readonly [string, string] | undefined): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isSymbolicLink()) refuseLinks([path]);
  const complaint = complaintAbout(stats);
  if (complaint !== undefined) throw new WrongPlaceError(path, complaint);
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFile() ? "a file" : "a pipe, a device or the like";
}
