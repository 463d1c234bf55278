import { constants, type Stats } from "node:fs";
import { access, lstat, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { FileToolError, fileError } from "./file-error.ts";

/** Symbolic links that are followed, as many as Linux follows. */
const LINK_LIMIT = 40;

/** Where a file is to be written. */
export interface WritableTarget {
  /** Absolute, and no symbolic link. */
  readonly path: string;
  /** The regular file that stands there already. */
  readonly existing: Stats | undefined;
}

/**
 * Finds the file that a path means, through symbolic links, and makes its folders.
 * Rejects with `FileToolError` where something else than a writable regular file stands there.
 */
export async function writableTarget(path: string): Promise<WritableTarget> {
  const target = await followLinks(path, LINK_LIMIT);
  const existing = await statsOf(target);
  if (existing) await refuseUnwritable(target, existing);
  return { path: target, existing };
}

/** The path with its folders made and its last part no symbolic link; a link to nothing leads to where it points. */
async function followLinks(path: string, linksLeft: number): Promise<string> {
  const folder = await makeFolder(dirname(path));
  const place = join(folder, basename(path));
  const link = await linkText(place);
  if (link === undefined) return place;
  if (linksLeft === 0) throw new FileToolError(`${JSON.stringify(path)} cannot be resolved: too many symbolic links`);
  return followLinks(resolve(folder, link), linksLeft - 1);
}

async function linkText(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true });
    return await realpath(folder);
  } catch (error) {
    const file = await fileAmong(folder);
    if (file === undefined) throw fileError(error, folder);
    throw new FileToolError(`${JSON.stringify(file)} is a file, where a folder should be`, { cause: error });
  }
}

/** The nearest part of a path that exists and is no folder. */
async function fileAmong(folder: string): Promise<string | undefined> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const stats = await stat(path).catch(() => undefined);
    if (stats) return stats.isDirectory() ? undefined : path;
  }
  return undefined;
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function refuseUnwritable(path: string, stats: Stats): Promise<void> {
  if (stats.isDirectory()) throw new FileToolError(`${JSON.stringify(path)} is a directory, not a file`);
  if (!stats.isFile()) throw new FileToolError(`${JSON.stringify(path)} is a device or pipe, not a regular file`);
  try {
    await access(path, constants.W_OK);
  } catch (cause) {
    throw new FileToolError(`${JSON.stringify(path)} is read-only`, { cause });
  }
}
