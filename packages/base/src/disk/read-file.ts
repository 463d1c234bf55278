import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { attempt } from "../errors/attempt.ts";
import { errorCode, unlessTaken } from "../errors/system-error.ts";

/** A path names a pipe, a device or the like, which might never end. */
class NoRegularFileError extends Error {
  override readonly name = "NoRegularFileError";

  constructor() {
    super("it is not a regular file");
  }
}

/** Keeps opening a pipe from blocking. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Reads a whole file. Throws `NoRegularFileError`, or the file system's error. */
export const readWholeFile = (path: string): Buffer => readOpened(path, (descriptor) => readFileSync(descriptor));

/** Opens a file and returns the result of `read`. Throws as `readWholeFile` does, and what `read` throws. */
export const readOpened = <Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result =>
  withDescriptor(openSync(path, FLAGS), read);

/**
 * The same for a file that an agent keeps: does not follow links. Throws `SymbolicLinkError`, `WrongKindError`, the file system's
 * error, and what `read` throws.
 */
export function readPrivateFile<Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result {
  checkPaths({ files: [path] });
  return withDescriptor(openSync(path, FLAGS | constants.O_NOFOLLOW), read);
}

/**
 * The text of a small file that an agent keeps: undefined if it does not exist; empty if it is longer than `limit` bytes, cannot
 * be read, or is not a regular file. Never throws.
 */
export function readSmallFile(path: string, limit: number): string | undefined {
  try {
    return readPrivateFile(path, (descriptor, { size }) =>
      size > limit ? "" : readBytes(descriptor, 0, size).toString("utf8"),
    );
  } catch (error) {
    return errorCode(error) === "ENOENT" ? undefined : "";
  }
}

/**
 * The text of any file, through links: undefined if it is longer than `limit` bytes, cannot be read, or is not a regular file.
 * Never throws, and never blocks on a pipe.
 */
export const textUpTo = (path: string, limit: number): string | undefined =>
  attempt(() =>
    readOpened(path, (descriptor, { size }) =>
      size > limit ? undefined : readBytes(descriptor, 0, size).toString("utf8"),
    ),
  );

/** At most `length` bytes of an open file from an offset on. Throws the file system's error. */
export function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let end = 0;
  for (let count = 1; end < length && count > 0; end += count) {
    count = readSync(descriptor, bytes, end, length - end, offset + end);
  }
  return bytes.subarray(0, end);
}

/** The bytes of a file from an offset on. Throws as `readWholeFile` does. */
export const readEnd = (path: string, offset: number): Buffer =>
  readOpened(path, (descriptor, { size }) => readBytes(descriptor, offset, Math.max(0, size - offset)));

/** The length of a file in bytes; 0 if it does not exist. Throws the file system's error. */
export function sizeOf(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() ? stats.size : 0;
}

function withDescriptor<Result>(descriptor: number, read: (descriptor: number, stats: Stats) => Result): Result {
  try {
    const stats = fstatSync(descriptor);
    // Reading a folder fails with the file system's error.
    if (!stats.isFile() && !stats.isDirectory()) throw new NoRegularFileError();
    return read(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}

/** A path that an agent writes to is a symbolic link, which could lead elsewhere. */
class SymbolicLinkError extends Error {
  override readonly name = "SymbolicLinkError";

  constructor(path: string) {
    super(`${path} is a symbolic link, which is not followed; put the files themselves there`);
  }
}

/** A path that an agent writes to is of the wrong kind. */
class WrongKindError extends Error {
  override readonly name = "WrongKindError";

  constructor(path: string, { found, wanted }: { readonly found: string; readonly wanted: string }) {
    super(`${path} is ${found} where ${wanted} should be; move it away, then try again`);
  }
}

/** Paths that an agent writes to. They need not exist. */
export interface AgentPaths {
  /** From the outermost to the innermost. */
  readonly folders?: readonly string[];
  readonly files?: readonly string[];
}

/**
 * Checks the paths that an agent writes to: none may be a link or of the wrong kind. Throws `SymbolicLinkError` or
 * `WrongKindError`, which name the path, or the file system's error.
 */
export function checkPaths({ folders = [], files = [] }: AgentPaths): void {
  const check = (path: string, wanted: string): void => {
    const stats = statsUnlessLink(path);
    const found = stats && kindOf(stats);
    if (found !== undefined && found !== wanted) throw new WrongKindError(path, { found, wanted });
  };
  for (const path of folders) check(path, "a folder");
  for (const path of files) check(path, "a file");
}

/** Throws `SymbolicLinkError` if one of these paths is a symbolic link, or the file system's error. The paths need not exist. */
export function refuseLinks(paths: readonly string[]): void {
  for (const path of paths) statsUnlessLink(path);
}

/**
 * Creates a private folder unless it exists. Never creates parent folders, so that a removed agent directory stays removed.
 * Throws as `checkPaths` does.
 */
export function makePrivateFolder(path: string): void {
  checkPaths({ folders: [path] });
  if (!existsSync(path)) unlessTaken(() => mkdirSync(path, { mode: 0o700 }));
}

function statsUnlessLink(path: string): Stats | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink()) throw new SymbolicLinkError(path);
  return stats;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  return stats.isFile() ? "a file" : "a pipe, a device or the like";
}
