import { closeSync, fsyncSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { errorCode } from "./error-code.ts";

/** What systems say that do not write folders to the disk on demand, or not by this user. */
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
 * Resolves when the names in a folder are on disk, so that a power cut cannot take a new file away; where the system does not
 * do that, at once. Rejects with what the file system says.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    if (!UNABLE.includes(errorCode(error))) throw error;
  }
}

/** The same at once, for what is seldom done. Throws what the file system says. */
export function syncFolderNow(path: string): void {
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
