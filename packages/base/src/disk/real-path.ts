import { type BigIntStats, fstatSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { isWithin } from "../paths/is-within.ts";

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
export const resolveRealPath = (path: string): string => followed(path, LINK_LIMIT);

/** The same; the path itself if that fails. */
export const realPathOrSame = (path: string): string => attempt(() => resolveRealPath(path)) ?? path;

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

const linkText = (path: string): string | undefined => attempt(() => readlinkSync(path));

/** The path from `folder` to a path in it, separated by "/"; undefined for any other path. */
export function pathWithin(folder: string, path: string): string | undefined {
  return isWithin(folder, path) ? relative(folder, path).replaceAll("\\", "/") : undefined;
}

/** Whether a folder is there, and no link to one. */
export const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether a regular file or a folder is there, and no link to one. */
export function isFileOrFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isDirectory());
}

/** Identifies a file, whatever its name; undefined if nothing is there. Throws what the file system says. */
export function fileIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && identityOf(stats);
}

/** Identifies an open file, as `fileIdentity` does. Throws what the file system says. */
export const openedIdentity = (descriptor: number): string => identityOf(fstatSync(descriptor, { bigint: true }));

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Whether two paths name one existing file. Throws what the file system says. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one);
  return identity !== undefined && identity === fileIdentity(other);
}

/** A flag of Linux's open: holds a file or folder, whatever happens to its name. It need not be readable. */
export const PATH_ONLY = 0o10000000;

/** A path of an open file or folder that works whatever has happened to its name since. Linux only. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** The real path of an open file or folder; undefined if the system does not say. */
export const openedPath = (descriptor: number): string | undefined => linkText(descriptorPath(descriptor));
