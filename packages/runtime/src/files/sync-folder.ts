import { closeSync, fsync, fsyncSync, openSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/** The errors of systems that cannot sync a folder, or do not let this user. */
const UNABLE: readonly (string | undefined)[] = [
  "EINVAL",
  "EISDIR",
  "EACCES",
  "EPERM",
  "EBADF",
  "ENOTSUP",
  "EOPNOTSUPP",
];

/**
 * Resolves when the names in a folder are on disk, so that a power cut cannot take a new file away; at once if the system cannot
 * do that. Rejects with what the file system says.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    // Opened at once, so that the disk begins even if this thread is busy from now on.
    const descriptor = openSync(path, "r");
    try {
      await synced(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!UNABLE.includes(errorCode(error))) throw error;
  }
}

const synced = (descriptor: number): Promise<void> =>
  new Promise((resolve, reject) => fsync(descriptor, (error) => (error ? reject(error) : resolve())));

/** As `syncFolder`, synchronously. Throws what the file system says. */
export function syncFolderSync(path: string): void {
  try {
    const descriptor = openSync(path, "r");
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!UNABLE.includes(errorCode(error))) throw error;
  }
}
