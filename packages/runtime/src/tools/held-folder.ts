import { closeSync, constants, mkdirSync, openSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { errorCode } from "../files/error-code.ts";
import { descriptorPath, PATH_ONLY } from "../files/opened-place.ts";
import { checkOpened } from "./permitted-place.ts";

/** Whether folders can be held: whatever comes of their names, what is made in them is made there. */
export const HOLDS_FOLDERS: boolean = process.platform === "linux";

/**
 * Opens a folder that was permitted, and makes what is missing of it, each part in the one before it, so that a link that is
 * put in the way meanwhile leads nowhere else. Gives a descriptor, which is to be closed. Throws `FileToolError`, or what
 * the file system says.
 */
export function holdFolder(folder: string, path: string): number {
  const descriptor = opened(folder, path);
  try {
    checkOpened(descriptor, { path, permitted: folder });
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

function opened(folder: string, path: string): number {
  try {
    return openSync(folder, PATH_ONLY | constants.O_DIRECTORY);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" || folder === dirname(folder)) throw error;
  }
  const parent = holdFolder(dirname(folder), path);
  try {
    makeFolder(join(descriptorPath(parent), basename(folder)));
  } finally {
    closeSync(parent);
  }
  return openSync(folder, PATH_ONLY | constants.O_DIRECTORY);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    // Another call made it meanwhile.
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
