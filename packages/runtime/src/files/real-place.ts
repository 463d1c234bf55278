import { readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { errorCode } from "./error-code.ts";

/** Symbolic links that are followed, as many as Linux follows. */
const LINK_LIMIT = 40;

/** The errors of a path if a part of it is missing, no folder, or in a folder that may not be searched. */
const UNREACHED: readonly (string | undefined)[] = ["ENOENT", "ENOTDIR", "EACCES", "ENAMETOOLONG"];

/** A path leads through more links than a system follows. */
class LinkCircleError extends Error {
  override readonly name = "LinkCircleError";
  readonly code = "ELOOP";
}

/**
 * Where an absolute path leads, through all symbolic links; if nothing is there, where it would be made: links to nothing are
 * followed, too. Throws what the file system says about circles of links and null characters.
 */
export const realPlace = (path: string): string => followed(path, LINK_LIMIT);

/** The same; the path itself if that fails. */
export function realPlaceOrSame(path: string): string {
  try {
    return realPlace(path);
  } catch {
    return path;
  }
}

function followed(path: string, linksLeft: number): string {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (!UNREACHED.includes(errorCode(error))) throw error;
  }
  const folder = followed(dirname(path), linksLeft);
  const place = join(folder, basename(path));
  const link = linkText(place);
  if (link === undefined) return place;
  if (linksLeft === 0) throw new LinkCircleError(`too many symbolic links: ${path}`);
  return followed(resolve(folder, link), linksLeft - 1);
}

function linkText(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

/** Whether `path` is `folder` or lies in it; both absolute, without `.` and `..`. */
export const isWithin = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder.endsWith("/") || path[folder.length] === "/");

/** The path from `folder` to a path in it, separated by "/"; undefined for any other path. */
export function pathWithin(folder: string, path: string): string | undefined {
  return isWithin(folder, path) ? relative(folder, path).replaceAll("\\", "/") : undefined;
}
