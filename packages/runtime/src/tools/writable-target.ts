import { closeSync, constants, mkdirSync, openSync, type Stats } from "node:fs";
import { access, lstat, mkdir, readlink, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { descriptorPath, PATH_ONLY } from "../files/real-place.ts";
import {
  changedPath,
  checkOpened,
  FileToolError,
  fileError,
  HAS_DESCRIPTOR_PATHS,
  type PermittedFile,
} from "./permitted-file.ts";

/** Symbolic links that are followed, as many as Linux follows. */
const LINK_LIMIT = 40;

/** Where a file is to be written. */
export interface WritableTarget {
  /** Absolute, and no symbolic link. */
  readonly path: string;
  /** The regular file at that path, if there is one. */
  readonly existing: Stats | undefined;
}

/**
 * Finds the file that a path means, through symbolic links, creates its folders and passes it to `use`, whose result it
 * returns. If a path was permitted, the file is that one and no other, whatever happens to the names on the way to it.
 * Rejects with `FileToolError` if something other than a writable regular file is there, and with what `use` rejects with.
 */
export async function withWritableTarget<Result>(
  { path, permitted }: PermittedFile,
  use: (target: WritableTarget) => Promise<Result>,
): Promise<Result> {
  if (permitted === undefined) return use(await targetAt(await followLinks(path, LINK_LIMIT), path));
  if (!HAS_DESCRIPTOR_PATHS) return use(await targetAt(await unchangedPath(path, permitted), path));
  const folder = await heldFolder(dirname(permitted), path);
  try {
    return await use(await targetAt(join(descriptorPath(folder), basename(permitted)), path));
  } finally {
    closeSync(folder);
  }
}

/** `path` is what was asked for, which messages name. */
async function targetAt(real: string, path: string): Promise<WritableTarget> {
  const existing = await statsOf(real);
  if (!existing) return { path: real, existing };
  const name = JSON.stringify(path);
  if (existing.isSymbolicLink()) throw changedPath(path);
  if (existing.isDirectory()) throw new FileToolError(`${name} is a directory, not a file`);
  if (!existing.isFile()) throw new FileToolError(`${name} is a device or pipe, not a regular file`);
  try {
    await access(real, constants.W_OK);
  } catch (cause) {
    throw new FileToolError(`${name} is read-only`, { cause });
  }
  return { path: real, existing };
}

/** The nearest to holding the folder that systems other than Linux allow. */
async function unchangedPath(path: string, permitted: string): Promise<string> {
  const folder = await makeFolder(dirname(permitted));
  if (folder !== dirname(permitted)) throw changedPath(path);
  return permitted;
}

async function heldFolder(folder: string, path: string): Promise<number> {
  try {
    return holdFolder(folder, path);
  } catch (error) {
    throw await folderError(error, folder);
  }
}

/**
 * Opens a folder that was permitted, and creates what is missing of it, each part in the one before it, so that a link that
 * is put in the way meanwhile leads nowhere else. Returns a descriptor. Throws `FileToolError` or the file system's error.
 */
function holdFolder(folder: string, path: string): number {
  const descriptor = openFolder(folder, path);
  try {
    checkOpened(descriptor, { path, permitted: folder });
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function openFolder(folder: string, path: string): number {
  try {
    return openSync(folder, PATH_ONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || folder === dirname(folder)) throw error;
  }
  const parent = holdFolder(dirname(folder), path);
  try {
    mkdirSync(join(descriptorPath(parent), basename(folder)));
  } catch (error) {
    // Another call created it meanwhile.
    if (errorCode(error) !== "EEXIST") throw error;
  } finally {
    closeSync(parent);
  }
  return openSync(folder, PATH_ONLY | constants.O_DIRECTORY);
}

/** The path with its folders created and its last part no symbolic link; a dangling link leads to where it points. */
async function followLinks(path: string, linksLeft: number): Promise<string> {
  const folder = await makeFolder(dirname(path));
  const real = join(folder, basename(path));
  const stats = await statsOf(real);
  if (!stats?.isSymbolicLink()) return real;
  if (linksLeft === 0) throw new FileToolError(`${JSON.stringify(path)} cannot be resolved: too many symbolic links`);
  return followLinks(resolve(folder, await readlink(real)), linksLeft - 1);
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
