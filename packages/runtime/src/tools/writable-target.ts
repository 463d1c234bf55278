import { closeSync, constants, type Stats } from "node:fs";
import { access, lstat, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { descriptorPath } from "../files/opened-place.ts";
import { FileToolError, fileError } from "./file-error.ts";
import { HOLDS_FOLDERS, holdFolder } from "./held-folder.ts";
import { changedPlace, type PermittedPlace } from "./permitted-place.ts";

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
 * Finds the file that a path means, through symbolic links, makes its folders, and gives what `use` makes of it. Where a
 * place was permitted it is that one and no other, whatever becomes of the names on the way to it.
 * Rejects with `FileToolError` where something else than a writable regular file stands there, and with what `use` rejects with.
 */
export async function withWritableTarget<Result>(
  { path, permitted }: PermittedPlace,
  use: (target: WritableTarget) => Promise<Result>,
): Promise<Result> {
  if (permitted === undefined) return use(await target(await followLinks(path, LINK_LIMIT), path));
  if (!HOLDS_FOLDERS) return use(await target(await samePlace(path, permitted), path));
  const folder = await heldFolder(dirname(permitted), path);
  try {
    return await use(await target(join(descriptorPath(folder), basename(permitted)), path));
  } finally {
    closeSync(folder);
  }
}

async function target(place: string, path: string): Promise<WritableTarget> {
  const existing = await statsOf(place);
  if (existing?.isSymbolicLink()) throw changedPlace(path);
  if (existing) await refuseUnwritable({ place, path }, existing);
  return { path: place, existing };
}

/** The nearest to holding the folder that other systems than Linux allow. */
async function samePlace(path: string, permitted: string): Promise<string> {
  const folder = await makeFolder(dirname(permitted));
  if (folder !== dirname(permitted)) throw changedPlace(path);
  return permitted;
}

async function heldFolder(folder: string, path: string): Promise<number> {
  try {
    return holdFolder(folder, path);
  } catch (error) {
    throw await folderError(error, folder);
  }
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
    throw await folderError(error, folder);
  }
}

async function folderError(error: unknown, folder: string): Promise<FileToolError> {
  const file = await fileAmong(folder);
  if (file === undefined) return fileError(error, folder);
  return new FileToolError(`${JSON.stringify(file)} is a file, where a folder should be`, { cause: error });
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
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** A file, and the path by which it was asked for. */
interface FoundFile {
  readonly place: string;
  readonly path: string;
}

async function refuseUnwritable({ place, path }: FoundFile, stats: Stats): Promise<void> {
  const name = JSON.stringify(path);
  if (stats.isDirectory()) throw new FileToolError(`${name} is a directory, not a file`);
  if (!stats.isFile()) throw new FileToolError(`${name} is a device or pipe, not a regular file`);
  try {
    await access(place, constants.W_OK);
  } catch (cause) {
    throw new FileToolError(`${name} is read-only`, { cause });
  }
}
