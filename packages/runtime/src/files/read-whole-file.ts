import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/** What stands where a file should be is a pipe, a device or the like, which might never end. */
class NoRegularFileError extends Error {
  override readonly name = "NoRegularFileError";

  constructor() {
    super("it is no regular file");
  }
}

/** Reads a file whole; never waits for the other end of a pipe. Throws `NoRegularFileError`, or what the file system says. */
export function readWholeFile(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = fstatSync(descriptor);
    // Of a folder the file system itself tells when it is read.
    if (!stats.isFile() && !stats.isDirectory()) throw new NoRegularFileError();
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
