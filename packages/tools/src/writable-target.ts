import { accessSync, closeSync, constants, lstatSync, mkdirSync, openSync, type Stats } from "node:fs";
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorCode } from "@mdx-ai/base";
import { descriptorPath, PATH_ONLY } from "@mdx-ai/base/disk";
import {
  changedPath,
  checkOpened,
  FileToolError,
  fileError,
  HAS_DESCRIPTOR_PATHS,
  type PermittedFile,
  resolveToPermit,
} from "@mdx-ai/permissions";
import { freePlaceholder } from "@mdx-ai/sandbox";

/** The target of a write. */
export interface WritableTarget {
  /** Absolute, and no symbolic link. */
  readonly path: string;
  /** The regular file at that path, if there is one. */
  readonly existing: Stats | undefined;
}

/**
 * Resolves a path through symbolic links, creates its folders, and returns the result of `use` for the target. The target is the
 * permitted file, even if names in the path change. Rejects with `FileToolError` if the target is not a writable regular file,
 * and with the error of `use`.
 */
export async function withWritableTarget<Result>(
  { path, permitted }: PermittedFile,
  use: (target: WritableTarget) => Promise<Result>,
): Promise<Result> {
  const real = permitted ?? resolveToPermit(path);
  if (!HAS_DESCRIPTOR_PATHS) return use(targetAt(await unchangedPath(real, path), { real, path }));
  const folder = await reported(dirname(real), async () => openWritableFolder(dirname(real), path));
  try {
    return await use(targetAt(join(descriptorPath(folder), basename(real)), { real, path }));
  } finally {
    closeSync(folder);
  }
}

interface NamedFile {
  /** Absolute and real. */
  readonly real: string;
  /** The requested path, for messages. */
  readonly path: string;
}

function targetAt(target: string, { real, path }: NamedFile): WritableTarget {
  const found = lstatSync(target, { throwIfNoEntry: false });
  const existing = found?.isDirectory() && freePlaceholder(real) ? undefined : found;
  if (!existing) return { path: target, existing };
  const name = JSON.stringify(path);
  if (existing.isSymbolicLink()) throw changedPath(path);
  if (existing.isDirectory()) throw new FileToolError(`${name} is a directory, not a file`);
  if (!existing.isFile()) throw new FileToolError(`${name} is a device or pipe, not a regular file`);
  try {
    accessSync(target, constants.W_OK);
  } catch (cause) {
    throw new FileToolError(`${name} is read-only`, { cause });
  }
  return { path: target, existing };
}

/** The best approximation of holding the folder open on systems other than Linux. */
async function unchangedPath(real: string, path: string): Promise<string> {
  const folder = dirname(real);
  const made = await reported(folder, async () => {
    await mkdir(folder, { recursive: true });
    return realpath(folder);
  });
  if (made !== folder) throw changedPath(path);
  return real;
}

/**
 * Opens a permitted folder and creates its missing parts, each relative to its parent, so that a link created meanwhile cannot
 * redirect it. Returns a descriptor. Throws `FileToolError` or the file system's error.
 */
function openWritableFolder(folder: string, path: string): number {
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
  const parent = openWritableFolder(dirname(folder), path);
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

/** Creates or opens a folder; rejects with `FileToolError`, which names a file in its way. */
async function reported<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const file = await fileAmong(folder);
    if (file === undefined) throw fileError(error, folder);
    throw new FileToolError(`${JSON.stringify(file)} is a file where a folder should be`, { cause: error });
  }
}

/** The nearest part of a path that exists and is not a folder. */
async function fileAmong(folder: string): Promise<string | undefined> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const stats = await stat(path).catch(() => undefined);
    if (stats) return stats.isDirectory() ? undefined : path;
  }
  return undefined;
}
