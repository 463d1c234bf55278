import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** What stands where a file should be is a pipe, a device or the like, which might never end. */
class NoRegularFileError extends Error {
  override readonly name = "NoRegularFileError";

  constructor() {
    super("it is no regular file");
  }
}

/** Reads a file whole; never waits for the other end of a pipe. Throws `NoRegularFileError`, or what the file system says. */
export const readWholeFile = (path: string): Buffer => readOpened(path, (descriptor) => readFileSync(descriptor));

/** What `read` makes of an open file. Throws as `readWholeFile` does, and what `read` throws. */
export function readOpened<Result>(path: string, read: (descriptor: number) => Result): Result {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(descriptor);
    // Of a folder the file system itself tells when it is read.
    if (!stats.isFile() && !stats.isDirectory()) throw new NoRegularFileError();
    return read(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
