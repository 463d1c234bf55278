import { renameSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../files/error-code.ts";

/**
 * Keeps the view of a session's history under another name, since it may tell what a damaged journal has lost; the next view is
 * written anew. Gives the new path, which ends with `suffix`; undefined where there is none. Throws what the file system says.
 */
export function keepHistory(folder: string, suffix: string): string | undefined {
  const history = join(folder, "history.json");
  const kept = history + suffix;
  try {
    renameSync(history, kept);
    return kept;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
