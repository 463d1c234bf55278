import { type BigIntStats, fstatSync, lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { attempt } from "../errors/attempt.ts";
import { errorCode } from "../errors/system-error.ts";
import { isWithin } from "../paths/is-within.ts";

/** The most symbolic links that are followed, the same as on Linux. */
const LINK_LIMIT = 40;

/** The errors of a path of which a part is missing, not a folder, or in a folder without search permission. */
const UNREACHED: readonly (string | undefined)[] = ["ENOENT", "ENOTDIR", "EACCES", "ENAMETOOLONG"];

/** A path leads through more links than a system follows. */
class LinkCircleError extends Error {
  override readonly name = "LinkCircleError";
  readonly code = "ELOOP";
}

/**
 * The target of an absolute path, through all symbolic links; if it does not exist, the path where it would be created, also
 * through dangling links. Throws the file system's error for circles of links and null characters.
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

/** Whether a path is a folder, not a link to one. */
export const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** Whether a path is a regular file or a folder, not a link to one. */
export function isFileOrFolder(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && (stats.isFile() || stats.isDirectory());
}

/** Identifies a file independently of its name; undefined if it does not exist. Throws the file system's error. */
export function fileIdentity(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  return stats && identityOf(stats);
}

/** Identifies an open file, as `fileIdentity` does. Throws the file system's error. */
export const openedIdentity = (descriptor: number): string => identityOf(fstatSync(descriptor, { bigint: true }));

const identityOf = ({ dev, ino }: BigIntStats): string => `${dev}:${ino}`;

/** Whether two paths name the same existing file. Throws the file system's error. */
export function isSameFile(one: string, other: string): boolean {
  const identity = fileIdentity(one);
  return identity !== undefined && identity === fileIdentity(other);
}

/** A flag of Linux's open: refers to a file or folder even after a rename. It need not be readable. */
export const PATH_ONLY = 0o10000000;

/** A path of an open file or folder that works even after a rename. Linux only. */
export const descriptorPath = (descriptor: number): string => `/proc/self/fd/${descriptor}`;

/** The real path of an open file or folder; undefined if the system does not say. */
export const openedPath = (descriptor: number): string | undefined => linkText(descriptorPath(descriptor));
