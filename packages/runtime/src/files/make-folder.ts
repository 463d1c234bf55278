import { mkdirSync } from "node:fs";
import { errorCode } from "./error-code.ts";

/**
 * Makes a folder for its owner alone, unless something has its name. Folders above are never made, so that a removed agent
 * directory stays removed. Throws what the file system says.
 */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (errorCode(error) !== "EEXIST") throw error;
  }
}
