import { closeSync, constants, fstatSync, openSync, readFileSync, readSync, type Stats } from "node:fs";
import { checkPaths } from "./check-paths.ts";

/** What is at a path is a pipe, a device or the like, which might never end. */
class NoRegularFileError extends Error {
  override readonly name = "NoRegularFileError";

  constructor() {
    super("it is no regular file");
  }
}

/** So that opening a pipe does not wait for its other end. */
const FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Reads a file whole. Throws `NoRegularFileError`, or what the file system says. */
export const readWholeFile = (path: string): Buffer => readOpened(path, (descriptor) => readFileSync(descriptor));

/** Opens a file and returns what `read` returns. Throws as `readWholeFile` does, and what `read` throws. */
export const readOpened = <Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result =>
  withDescriptor(openSync(path, FLAGS), read);

/**
 * The same for a file that an agent itself keeps: a link is not followed. Throws `SymbolicLinkError`, `WrongKindError`, what the
 * file system says, and what `read` throws.
 */
export function readOwnFile<Result>(path: string, read: (descriptor: number, stats: Stats) => Result): Result {
  checkPaths({ files: [path] });
  return withDescriptor(openSync(path, FLAGS | constants.O_NOFOLLOW), read);
}

/** The bytes of an open file from an offset on, `length` of them at most. Throws what the file system says. */
export function readBytes(descriptor: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
}

function withDescriptor<Result>(descriptor: number, read: (descriptor: number, stats: Stats) => Result): Result {
  try {
    const stats = fstatSync(descriptor);
    // Reading a folder fails with the file system's own error.
    if (!stats.isFile() && !stats.isDirectory()) throw new NoRegularFileError();
    return read(descriptor, stats);
  } finally {
    closeSync(descriptor);
  }
}
